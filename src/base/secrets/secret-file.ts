/** A file for one secret that a person reads. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

export type SecretDraft = {
  /** Gives the file its name; an older file of that name is replaced. Returns its path. */
  keep(): string;
  discard(): void;
};

/**
 * Writes the secret beside `file`, with mode 0600, in a folder that is created with mode 0700. Throws file system errors.
 */
export function draftSecretFile(file: string, secret: string): SecretDraft {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${secret}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return {
    keep() {
      try {
        renameSync(draft, file);
      } catch (error) {
        // Another process may have recovered the draft in the meantime.
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (!isGone || !existsSync(file)) throw error;
      }
      return file;
    },
    discard: () => unlinkSync(draft),
  };
}

/**
 * Gives `file` its name when a process died between the draft and that. Returns its path; null when no draft holds the secret.
 * Throws file system errors.
 */
export function recoverSecretFile(
  file: string,
  isSecret: (text: string) => boolean,
): string | null {
  const folder = dirname(file);
  const drafts = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.`));
  const paths = drafts.map((name) => join(folder, name));
  const left = paths.find((path) => isSecret(readFileSync(path, 'utf8').trim()));
  if (left === undefined) return null;
  renameSync(left, file);
  return file;
}
