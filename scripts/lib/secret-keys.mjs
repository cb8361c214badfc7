// The key that secrets are sealed with, for who runs on the databases of `npm start` and gave none.
// Promises: made once, beside the data but not in the database, for its owner's eyes alone; never replaced.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** What INLET_SECRET_KEYS would be. @param {string} folder the data folder, which is there */
export function keptSecretKeys(folder) {
  const file = join(folder, 'secret-keys');
  if (!existsSync(file)) make(file);
  return readFileSync(file, 'utf8').trim();
}

/** As src/base/kept-keys.ts does: whole, and only where nothing is. @param {string} file */
function make(file) {
  const draft = `${file}.${randomUUID()}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toString('base64')}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  } finally {
    closeSync(handle);
    unlinkSync(draft);
  }
}
