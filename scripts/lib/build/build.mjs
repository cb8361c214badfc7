// TypeScript and the console to dist/, only when a source changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAssets } from './assets.mjs';
import { packagesOf, rendererOf } from './bundled-packages.mjs';
import { bundleRoles } from './bundle-roles.mjs';
import { bundleCommand } from './bundle-command.mjs';
import { writeNotices } from './notices.mjs';
import { withLock } from '../process/lock.mjs';
import { lockPath, repository } from '../paths.mjs';
import { runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

/** Folders of which each change needs a build, and files. */
export const sources = ['src', 'workers', 'config', 'web', 'client', 'cli', 'scripts/lib/build'];
export const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE'];

/** A hash over everything that the build reads. @param {string} root */
export function sourceHash(root) {
  const hash = createHash('sha256');
  const files = sources.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
      : [],
  );
  for (const file of [...files.sort(), ...settings.map((name) => join(root, name))]) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** @param {string} root */
function isBuilt(root) {
  const stamp = join(root, 'dist/.source-hash');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(root);
}

export async function buildIfChanged(root = repository) {
  if (isBuilt(root)) return;
  await withLock(lockPath(root, 'build'), 'building', async () => {
    if (isBuilt(root)) return;
    await step('Building', () => build(root));
  });
}

/**
 * Writes the bundled roles to dist/bin, the `inlet` command to dist/cli, the console to dist/web, files that are sent as they are to dist/assets, and each
 * module by itself to dist/src, for the tools that load or replace single modules.
 * @param {string} root
 * @param {string} revision of the sources, which metrics show
 */
export async function build(root = repository, revision = '') {
  const hash = sourceHash(root); // before the build, so that what changes during it is built next time
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { code, output } = await runCommand(
    process.execPath,
    // `npm run check` checks the types; that takes five times as long.
    [compiler, '-p', 'tsconfig.build.json', '--noCheck'],
    {
      cwd: root,
    },
  );
  if (code !== 0) throw new StepError(`The build failed.\n${output.trim()}`);
  const chunks = await Promise.all([
    bundleRoles(root, { folder: join(root, 'dist/bin'), revision }),
    bundleCommand(root),
    buildAssets(root),
  ]);
  writeNotices(root, [...packagesOf(root, chunks.flat()), rendererOf(root)]);
  writeFileSync(join(root, 'dist/.source-hash'), hash);
}
