// A redis-server: the one on the PATH, or the system's package. Redis 6.2 or newer.
import { findOnPath } from '../paths.mjs';
import { aptInstall, brewInstall, canUseApt } from './package-manager.mjs';
import { runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

/**
 * @typedef {object} Program
 * @property {string} path
 * @property {string} version
 * @property {string} source where it came from, for a person
 */

const oldest = [6, 2];

/** @param {string} path @returns {Promise<string | undefined>} */
async function redisVersion(path) {
  const { code, output } = await runCommand(path, ['--version'], { timeoutMs: 10_000 });
  return code === 0 ? /v=(\d+\.\d+\.\d+)/.exec(output)?.[1] : undefined;
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = oldest;
  return major > needMajor || (major === needMajor && minor >= needMinor);
}

/** @returns {Promise<Program | undefined>} */
async function findRedis() {
  const path = findOnPath('redis-server');
  if (path === undefined) return undefined;
  const version = await redisVersion(path);
  if (version !== undefined && isNewEnough(version)) return { path, version, source: 'installed' };
  throw new StepError(`${path} is Redis ${version ?? 'of an unknown version'}; 6.2 is needed.`, {
    advice: ['install a newer Redis, or set REDIS_URL to one that runs elsewhere'],
  });
}

/** @returns {Promise<Program>} */
export async function findOrInstallRedis() {
  const found = await findRedis();
  if (found) return found;
  await step('Installing Redis with the package manager', installRedis);
  const installed = await findRedis();
  if (installed) return installed;
  throw missing(['the package manager installed it, but there is no redis-server on the PATH']);
}

async function installRedis() {
  if (await canUseApt()) return aptInstall('redis-server');
  if (findOnPath('brew')) return brewInstall('redis');
  throw missing([
    'redis-server on the PATH',
    'apt-get (needs root or a sudo without password)',
    'brew',
  ]);
}

/** @param {string[]} tried */
function missing(tried) {
  return new StepError('There is no Redis on this machine, and none could be installed.', {
    tried,
    advice: [
      'install it: sudo apt-get install redis-server, brew install redis, or https://redis.io/docs',
      'or set REDIS_URL to one that runs elsewhere',
    ],
  });
}
