// Loader hooks: puts the harness between a process and its stores, without a word of it in the product.

const stores = /\/dist\/src\/store\/stores\.js$/;

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!stores.test(url)) return nextLoad(url, context);
  const real = JSON.stringify(`${url}?real`);
  const source = `
    import { allIndexes as indexes, createStores as create } from ${real};
    export * from ${real};
    export const allIndexes = globalThis.chaos.indexes(indexes);
    export const createStores = (connection) => globalThis.chaos.stores(create(connection), connection);
  `;
  return { format: 'module', shortCircuit: true, source };
}
