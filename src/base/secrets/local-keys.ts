/**
 * Local secret keys for installations without INLET_SECRET_KEYS. They are in a file in the data folder, not in
 * the database.
 *
 * Promises: the file is created once, atomically, with mode 0600. Processes that start at the same time read
 * the same key.
 * Must never: replace an existing file, or put a key into an error.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecret } from './secret-file.ts';

/** Path of the key file. In the data folder of `npm start` it lies beside the databases that it belongs to. */
export const localKeysFile = (folder: string): string => join(folder, 'secret-keys');

/**
 * Returns the keys in the format of INLET_SECRET_KEYS. Creates the file if it does not exist. Throws file
 * system errors.
 */
export function readLocalKeys(folder: string): string[] {
  const file = localKeysFile(folder);
  if (!existsSync(file)) createKeyFile(file);
  return readFileSync(file, 'utf8')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

/** `linkSync` fails if the target exists, and the draft is complete by then. */
function createKeyFile(file: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeSecret(draft, randomBytes(32).toString('base64'));
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
