import type { Connection, Stores } from './mutations.mjs';

declare global {
  // Called by the module that hooks.mjs puts in place of the stores.
  var chaos: {
    // oxlint-disable-next-line no-explicit-any
    indexes(specs: any[]): any[];
    stores(real: Stores, connection: Connection): Stores;
  };
}
