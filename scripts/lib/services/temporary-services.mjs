// A MongoDB and a Redis for one run, over a temporary folder that is removed after them.
// Imported before the dependencies are there: what needs them is loaded when it is called.
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {ReturnType<typeof import('../process/stop-signals.mjs').createCleanups>} Releases */

const memoryFolder = '/dev/shm';
const neededBytes = 6 * 1024 ** 3;

/**
 * Puts temporary files, databases included, into memory where there is room: a database waits for its disk otherwise. The
 * processes of tests inherit it. Does nothing where TMPDIR is set, and where programs may not be run from there (Wine keeps
 * its own among the data).
 */
export function useMemoryForTemporaryFiles() {
  if (process.env.TMPDIR) return;
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const mount = mounts.find((line) => line.split(' ')[1] === memoryFolder)?.split(' ');
    if (!mount || mount[3]?.split(',').includes('noexec')) return;
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize >= neededBytes) process.env.TMPDIR = memoryFolder;
  } catch {
    // Not on Linux, or not readable: the usual folder serves.
  }
}

/** @param {string} name of the folder's beginning @param {Releases} releases @returns {string} its path */
export function makeTemporaryFolder(name, releases) {
  const folder = mkdtempSync(join(tmpdir(), `inlet-${name}-`));
  releases.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * @param {string} folder
 * @param {Releases} releases
 * @returns {Promise<{ mongodb: Service, redis: Service }>}
 * @typedef {import('./embedded-services.mjs').Service} Service
 */
export async function startTemporaryServices(folder, releases) {
  const { createEmbeddedServices } = await import('./embedded-services.mjs');
  const { start } = createEmbeddedServices(folder, releases.add);
  const [mongodb, redis] = await Promise.all([start('mongodb'), start('redis')]);
  return { mongodb, redis };
}
