import type { Connection, Stores } from './mutations.mjs';

declare global {
  // What the wrapped module of the stores calls.
  var chaos: {
    // oxlint-disable-next-line no-explicit-any
    indexes(specs: any[]): any[];
    stores(real: Stores, connection: Connection): Stores;
  };
}
