// The documentation site to dist/docs, only when a page changed since the last build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from '../build/compress.mjs';
import { hashOf } from '../build/source-hash.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { StepError } from '../output.mjs';

/** Folders of which each change needs a build of the site, and files. */
export const siteSources = ['docs', 'scripts/lib/site'];
export const siteFiles = ['CHANGELOG.md', 'client/README.md', 'package-lock.json'];

/** The names of the modules in the site, in JSON. */
export const modulesFile = 'dist/.site-modules.json';
const stampFile = 'dist/.site-hash';

/** @param {string} root */
const siteHash = (root) => hashOf(root, siteSources, siteFiles);

/** @param {string} root */
export function isSiteBuilt(root) {
  const stamp = join(root, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === siteHash(root);
}

/** Fails for a link to a page that does not exist. @param {string} root of the repository */
export async function buildSite(root) {
  const hash = siteHash(root); // before the build, so that what changes during it is built next time
  const script = join(root, 'scripts/lib/site/write-site.mjs');
  const { code, output } = await runCommand(process.execPath, [script], { cwd: root });
  if (code !== 0) {
    const deadLinks = output.split('\n').filter((line) => line.includes('dead link'));
    const reasons = deadLinks.length > 0 ? deadLinks.join('\n') : lastLines(output);
    throw new StepError(`The documentation site could not be built.\n${reasons}`);
  }
  compress(join(root, 'dist/docs'));
  writeFileSync(join(root, stampFile), hash);
}

/** The modules in the site, for the list of licences. @param {string} root @returns {string[]} */
export const modulesOfSite = (root) => JSON.parse(readFileSync(join(root, modulesFile), 'utf8'));
