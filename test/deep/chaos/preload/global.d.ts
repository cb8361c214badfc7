import type { Connection, Stores } from './mutations.mjs';

declare global {
  // Called by the module that takes the place of the stores in the bundles of the harness.
  var chaos: {
    // oxlint-disable-next-line no-explicit-any
    indexes(specs: any[]): any[];
    stores(real: Stores, connection: Connection): Stores;
  };
}
