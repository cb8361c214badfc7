// A lock between processes: a file with the id of its owner. A dead owner does not block.
import { mkdirSync, readFileSync, rmSync, writeFileSync, linkSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, startTimeOf } from './processes.mjs';
import { print } from '../output.mjs';

/**
 * @param {string} path
 * @returns {number | undefined} the process that holds the lock
 */
function ownerOf(path) {
  try {
    const [pid = '', mark = ''] = readFileSync(path, 'utf8').split(' ');
    const owner = Number(pid);
    return isAlive(owner) && startTimeOf(owner) === mark ? owner : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Takes the lock, or names the process that holds it.
 * @param {string} path
 * @returns {{ release: () => void } | { heldBy: number }}
 */
export function acquireLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, `${process.pid} ${startTimeOf(process.pid)}`);
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        linkSync(mine, path); // fails if the file exists; its content is always complete
        return { release: () => rmSync(path, { force: true }) };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const heldBy = ownerOf(path);
      if (heldBy !== undefined) return { heldBy };
      rmSync(path, { force: true });
    }
    return { heldBy: 0 };
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Waits for the lock, does the work, and releases the lock.
 * @template T
 * @param {string} path
 * @param {string} what printed once when another process has the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, what, work) {
  let lock = acquireLock(path);
  if ('heldBy' in lock) print(`Waiting for process ${lock.heldBy}, which is ${what} …`);
  while ('heldBy' in lock) {
    await pause(200);
    lock = acquireLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
