/**
 * Ids, hashes and secrets. Random ids are UUIDv7, which sort by time and are adjacent in an index. Derived ids
 * are UUIDv5 over their parts, so that a repeated operation gets the same id.
 */
import { hash, randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

const namespace = '6f1c2f43-5f0e-4b7c-9a53-3f9f2f0f8a51';

export const newId = (): string => v7();

/**
 * Returns the same UUID for the same parts. Each part has a length prefix, so ("ab","c") differs from
 * ("a","bc"). Half a surrogate pair counts as U+FFFD, as MongoDB stores it.
 */
export const derivedId = (...parts: readonly string[]): string =>
  v5(
    parts
      .map((part) => `${part.length}:${part}`)
      .join('')
      .toWellFormed(),
    namespace,
  );

export const sha256 = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** Returns `prefix` and 256 random bits. People and secret scanners recognise the prefix. */
export const newSecret = (prefix: string): string =>
  `${prefix}${randomBytes(32).toString('base64url')}`;
