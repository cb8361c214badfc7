// TypeScript, the console and the documentation site to dist/, only when a source changed since the last build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAssets } from './assets.mjs';
import { packagesOf, renderedModules, rendererOf } from './bundled-packages.mjs';
import { bundleRoles } from './bundle-roles.mjs';
import { bundleCommand } from './bundle-command.mjs';
import { writeNotices } from './notices.mjs';
import { hashOf } from './source-hash.mjs';
import { buildSite, isSiteBuilt, modulesOfSite } from '../site/build-site.mjs';
import { withLock } from '../process/lock.mjs';
import { lockPath, repository } from '../paths.mjs';
import { runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

/** Folders of which each change needs a build, and files. The pages of the documentation site need a build of the site alone. */
export const sources = [
  'src',
  'workers',
  'config',
  'web',
  'client',
  'cli',
  'scripts/lib/build',
  'scripts/lib/site',
  'docs/.vitepress',
];
export const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE'];

/** A hash over everything that the build reads, but for the pages. @param {string} root */
export const sourceHash = (root) => hashOf(root, sources, settings);

/** @param {string} root */
function isCodeBuilt(root) {
  const stamp = join(root, 'dist/.source-hash');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(root);
}

export async function buildIfChanged(root = repository) {
  if (isCodeBuilt(root) && isSiteBuilt(root)) return;
  await withLock(lockPath(root, 'build'), 'building', async () => {
    if (!isCodeBuilt(root)) return step('Building', () => build(root));
    if (!isSiteBuilt(root)) await step('Building the documentation site', () => buildSite(root));
  });
}

/**
 * Writes the bundled roles to dist/bin, the `inlet` command to dist/cli, the console to dist/web, the documentation site to dist/docs unless its pages are
 * the same, files that are sent as they are to dist/assets, and each module by itself to dist/src, for the tools that load or replace single modules.
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
    isSiteBuilt(root) ? [] : buildSite(root).then(() => []),
  ]);
  const modules = [...renderedModules(chunks.flat()), ...modulesOfSite(root)];
  writeNotices(root, [...packagesOf(root, modules), rendererOf(root)]);
  writeFileSync(join(root, 'dist/.source-hash'), hash);
}
