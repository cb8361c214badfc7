// Bundles the roles like a build, with the stores wrapped by the harness. A bundle starts in a third of the CPU time that the
// single modules need, and faults restart processes often. The product has no code for it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { sourceHash } from '../../../scripts/lib/build/build.mjs';
import { lockPath, repository } from '../../../scripts/lib/paths.mjs';
import { withLock } from '../../../scripts/lib/process/lock.mjs';
import type { RoleName } from '../../support/processes/roles.ts';

const scripts = {
  server: 'dist/chaos/server.js',
  worker: 'dist/chaos/worker.js',
} as const satisfies Record<RoleName, string>;

const folder = join(repository, 'dist/chaos');
const stamp = join(folder, '.source-hash');

const stores = join(repository, 'src/store/stores.ts');
const wrapper = '\0wrapped-stores';
const wrapping = `
  import { allIndexes as indexes, createStores as create } from ${JSON.stringify(stores)};
  export * from ${JSON.stringify(stores)};
  export const allIndexes = globalThis.chaos.indexes(indexes);
  export const createStores = (connection) => globalThis.chaos.stores(create(connection), connection);
`;

/** Every module that imports the stores gets the wrapper, which alone gets the stores themselves. */
const wrapStores: Plugin = {
  name: 'wrap-stores',
  resolveId: {
    filter: { id: /(?:^|\/)stores\.ts$/ },
    handler: (_id, importer) => (importer === wrapper ? stores : wrapper),
  },
  load: {
    filter: { id: /wrapped-stores$/ },
    handler: () => ({ moduleType: 'js', code: wrapping }),
  },
};

/** The files of the roles, bundled again when a source changed since the last time. */
export async function bundleWrappedRoles(): Promise<typeof scripts> {
  const hash = createHash('sha256')
    .update(sourceHash(repository))
    .update(readFileSync(import.meta.filename))
    .digest('hex');
  await withLock(lockPath(repository, 'chaos'), 'bundling', async () => {
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
    const bundle = await rolldown({
      cwd: repository,
      input: { server: 'src/server.ts', worker: 'workers/main.ts' },
      platform: 'node',
      tsconfig: false,
      logLevel: 'warn',
      plugins: [wrapStores],
    });
    await bundle.write({
      format: 'esm',
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      keepNames: true,
      codeSplitting: { groups: [{ name: 'packages', test: /[\\/]node_modules[\\/]/ }] },
    });
    await bundle.close();
    writeFileSync(stamp, hash);
  });
  return scripts;
}
