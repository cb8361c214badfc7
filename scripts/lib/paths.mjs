// Paths of the repository, of the cache that all clones of a user share, and of the data folder.
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { accessSync, constants, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of downloads, shared by all clones. */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'inlet');
}

/** A lock file for one piece of work on one folder. @param {string} folder @param {string} work */
export function lockPath(folder, work) {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(cacheFolder(), 'locks', `${work}-${name}`);
}

export function dataFolder() {
  return resolve(repository, process.env.INLET_DATA_DIR?.trim() || '.inlet');
}

/** @param {string} path */
export function isExecutableFile(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The first executable of that name on the PATH, or in the places where package managers put servers.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];
  return [...folders, ...usual].map((folder) => join(folder, name)).find(isExecutableFile);
}
