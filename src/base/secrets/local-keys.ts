/**
 * The keys that secrets are sealed with, where none were given: in a file beside the data, not in the database.
 *
 * Promises: made once, whole or not at all, for its owner's eyes alone; of several processes that begin at once each has the
 * same one. Must never: replace what is there, or put it into an error.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** In `npm start`'s data folder it belongs to the databases that lie there too. */
export const localKeysFile = (folder: string): string => join(folder, 'secret-keys');

/** What INLET_SECRET_KEYS would be. Throws what the file system says. */
export function readLocalKeys(folder: string): string[] {
  const file = localKeysFile(folder);
  if (!existsSync(file)) make(folder, file);
  return readFileSync(file, 'utf8')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

/** A link is made only where nothing is, and by then the file is whole. */
function make(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toString('base64')}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(handle);
    unlinkSync(draft);
  }
}
