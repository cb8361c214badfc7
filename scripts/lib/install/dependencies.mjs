// Node and node_modules. Needs nothing but Node itself, since it runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../process/lock.mjs';
import { lockPath, repository } from '../paths.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

const oldest = [20, 19];

/** @param {string} [version] */
export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = oldest;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  throw new StepError(
    `Inlet needs Node ${oldest.join('.')} or newer, and this is Node ${version}.`,
    {
      advice: ['install Node 24 (https://nodejs.org), or run: npx -p node@24 npm start'],
    },
  );
}

/** @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }} Entry */

/** @param {string} path @returns {Record<string, Entry>} */
const lockedPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/**
 * Whether node_modules holds what package-lock.json says, by the record that npm leaves there when it
 * has finished. Optional packages may be missing: they are for other platforms.
 * @param {string} root
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const present = lockedPackages(record);
  return Object.entries(lockedPackages(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = present[path];
    if (path === '' || wanted.link) return true;
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return found.version === wanted.version;
  });
}

/** Installs exactly what package-lock.json says, when that is not what is there. */
export async function installDependencies(root = repository) {
  if (isInstalled(root)) return;
  await withLock(lockPath(root, 'install'), 'installing dependencies', async () => {
    if (isInstalled(root)) return;
    await step('Installing dependencies (npm ci)', () => npmCi(root));
  });
}

/** No package needs its install script (`allowScripts` in package.json), and npm before 11 runs them unasked. @param {string} root */
async function npmCi(root) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['ci', '--include=dev', '--ignore-scripts', ...quiet];
  const { code, output } = await runCommand('npm', args, { cwd: root, timeoutMs: 900_000 });
  if (code !== 0) {
    throw new StepError(`The dependencies could not be installed.\n  ${lastLines(output)}`, {
      tried: [`npm ${args.join(' ')}`],
      advice: ['check the network and the npm registry (npm ping), then start again'],
    });
  }
}
