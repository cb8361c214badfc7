// Bundles the roles like a build, with the stores wrapped by the harness. Faults restart processes often, and a bundle starts
// fast. The product has no code for it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { bundleRoles } from '../../../../scripts/lib/build/bundle-roles.mjs';
import { sourceHash } from '../../../../scripts/lib/build/build.mjs';
import { lockPath, repository } from '../../../../scripts/lib/paths.mjs';
import { withLock } from '../../../../scripts/lib/process/lock.mjs';
import type { RoleName } from '../../../support/processes/roles.ts';

const scripts = {
  server: 'dist/chaos/server.js',
  worker: 'dist/chaos/worker.js',
} as const satisfies Record<RoleName, string>;

/** Loaded by every process of a cluster. */
export const preload = pathToFileURL(join(import.meta.dirname, '../preload/preload.mjs')).href;

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
    const execArgv = ['--import', preload];
    await bundleRoles(repository, { folder, plugins: [wrapStores], execArgv });
    writeFileSync(stamp, hash);
  });
  return scripts;
}
