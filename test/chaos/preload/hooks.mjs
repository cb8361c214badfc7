// Loader hooks that wrap the stores of a process with the harness. The product has no code for it.

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
