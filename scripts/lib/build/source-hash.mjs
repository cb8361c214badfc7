// A hash over what a build reads, which tells whether anything changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Covers the names and the contents. A folder may be missing.
 * @param {string} root
 * @param {readonly string[]} folders
 * @param {readonly string[]} files
 */
export function hashOf(root, folders, files) {
  const hash = createHash('sha256');
  const found = folders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
      : [],
  );
  for (const file of [...found.sort(), ...files.map((name) => join(root, name))]) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}
