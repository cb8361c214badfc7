// A mongod, in this order: the machine's own, the official download, on Linux x64 the Windows build
// under Wine. A native mongod always wins over the last, also when it was installed later.
// A failed attempt leaves nothing behind that would mislead the next one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, findOnPath, isExecutableFile, lockPath, repository } from '../paths.mjs';
import { withLock } from '../process/lock.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { print, step, StepError } from '../output.mjs';
import { canUseWine, findWineMongod, installWineMongod } from './wine-mongod.mjs';

/** @typedef {import('./redis.mjs').Program} Program */

const downloadVersion = '7.0.28';
const oldestMajor = 6;
const downloads = () => join(cacheFolder(), 'mongodb');

/** @returns {Promise<Program | undefined>} */
async function findNative() {
  const named = process.env.MONGOMS_SYSTEM_BINARY?.trim();
  if (named && !isExecutableFile(named)) {
    throw new StepError(`MONGOMS_SYSTEM_BINARY names ${named}, which cannot be run.`, {
      advice: ['correct it, or leave it empty'],
    });
  }
  const path = named || findOnPath('mongod');
  if (path === undefined) return undefined;
  const { output } = await runCommand(path, ['--version'], { timeoutMs: 30_000 });
  const version = /v(\d+\.\d+\.\d+)/.exec(output)?.[1];
  if (version && Number.parseInt(version, 10) >= oldestMajor) {
    return { path, version, source: named ? 'MONGOMS_SYSTEM_BINARY' : 'installed' };
  }
  print(`${path} is MongoDB ${version ?? 'of an unknown version'}; ${oldestMajor}.0 is needed.`);
  return undefined;
}

/** @returns {Promise<Program | undefined>} */
async function findDownloaded() {
  if (!existsSync(downloads())) return undefined;
  const { code, stdout } = await memoryServer('find');
  const path = stdout.trim();
  if (code !== 0 || path === '') return undefined;
  return { path, version: downloadVersion, source: 'official download' };
}

/** @param {'find' | 'download'} what */
function memoryServer(what) {
  const script = join(repository, 'scripts/lib/install/download-mongod.mjs');
  return runCommand(process.execPath, [script, what, downloadVersion, downloads()]);
}

/** @type {Promise<boolean> | undefined} */
let isReachable;
/** Whether the download host answers at all, asked once: five seconds tell, a refused download can take minutes. */
const canReachDownloads = () => (isReachable ??= probeDownloads());

async function probeDownloads() {
  const { env } = process;
  if (env.HTTPS_PROXY || env.https_proxy) return true; // only the download itself uses a proxy
  const host = env.MONGOMS_DOWNLOAD_MIRROR || 'https://fastdl.mongodb.org';
  try {
    await fetch(host, { method: 'HEAD', signal: AbortSignal.timeout(5_000) });
    return true;
  } catch {
    return false;
  }
}

async function download() {
  if (!(await canReachDownloads())) return 'its download host does not answer';
  const { code, output } = await step(`Downloading MongoDB ${downloadVersion} (about 80 MB)`, () =>
    memoryServer('download'),
  );
  return code === 0 ? undefined : lastLines(output);
}

/** @returns {Promise<Program | undefined>} */
const findMongodb = async () =>
  (await findNative()) ?? (await findDownloaded()) ?? (await findWineMongod());

/** Whether there is no MongoDB yet, and only the build under Wine can be had. Needs no dependency of the project. */
export const needsWine = async () =>
  canUseWine() &&
  !existsSync(downloads()) &&
  !((await findNative()) ?? (await findWineMongod())) &&
  !(await canReachDownloads());

/** @returns {Promise<Program>} */
export async function findOrInstallMongodb() {
  const found = await findMongodb();
  if (found) return found;
  return withLock(lockPath(cacheFolder(), 'mongodb'), 'getting MongoDB', getMongodb);
}

async function getMongodb() {
  // Another process may have installed it while this one waited for the lock.
  const installed = await findMongodb();
  if (installed) return installed;
  const refusal = await download();
  const downloaded = refusal === undefined ? await findDownloaded() : undefined;
  if (downloaded) return downloaded;
  if (!canUseWine()) throw missing(`the official download: ${refusal}`);
  print(`MongoDB cannot be downloaded (${refusal}); taking its Windows build under Wine instead.`);
  return installWineMongod();
}

/** @param {string} refusal */
function missing(refusal) {
  return new StepError('There is no MongoDB on this machine, and none could be downloaded.', {
    tried: ['mongod on the PATH', refusal],
    advice: [
      'install MongoDB 7 (https://www.mongodb.com/docs/manual/installation)',
      'or set MONGODB_URL to a replica set that runs elsewhere',
    ],
  });
}
