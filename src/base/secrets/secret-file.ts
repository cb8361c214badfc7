/** A file for one secret that a person reads. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Writes a new file to the disk, with mode 0600, in a folder that is created with mode 0700. Throws file system errors. */
export function writeSecret(file: string, secret: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
}

export type SecretDraft = ReturnType<typeof draftSecretFile>;

/** Writes the secret beside `file`. Throws file system errors. */
export function draftSecretFile(file: string, secret: string) {
  const draft = `${file}.${randomUUID()}`;
  writeSecret(draft, secret);
  return {
    /** Gives the file its name; an older file of that name is replaced. Returns its path. */
    keep(): string {
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
