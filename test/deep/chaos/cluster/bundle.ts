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

/** By the file that is wrapped, what its wrapper exports in its place. */
const wrappings: Readonly<Record<string, (path: string) => string>> = {
  'stores.ts': (path) => `
    import { createStores as create } from ${path};
    export * from ${path};
    export const createStores = (connection) => globalThis.chaos.stores(create(connection), connection);
  `,
  'all-indexes.ts': (path) => `
    import { allIndexes as indexes } from ${path};
    export * from ${path};
    export const allIndexes = globalThis.chaos.indexes(indexes);
  `,
};
const wrapped = Object.keys(wrappings);
const mark = '\0wrapped-';
const sourceOf = (name: string): string => join(repository, 'src/store', name);

/** Every module that imports a wrapped file gets its wrapper, which alone gets the file itself. */
const wrapStores: Plugin = {
  name: 'wrap-stores',
  resolveId: {
    filter: { id: /(?:^|\/)(?:stores|all-indexes)\.ts$/ },
    handler: (id, importer) => {
      const name = wrapped.find((each) => id.endsWith(`/${each}`)) ?? '';
      return importer === `${mark}${name}` ? sourceOf(name) : `${mark}${name}`;
    },
  },
  load: {
    filter: { id: /wrapped-/ },
    handler: (id) => {
      const name = id.slice(mark.length);
      return { moduleType: 'js', code: wrappings[name]?.(JSON.stringify(sourceOf(name))) ?? '' };
    },
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
