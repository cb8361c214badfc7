/**
 * Ids, hashes and secrets. Random ids are UUIDv7, so that they sort by time and sit together in an index;
 * derived ids are UUIDv5 over their parts, so that doing a thing twice names the same thing.
 */
import { hash, randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

const namespace = '6f1c2f43-5f0e-4b7c-9a53-3f9f2f0f8a51';

export const newId = (): string => v7();

/** The same parts always give the same UUID; parts are length-prefixed, so that ("ab","c") is not ("a","bc"). */
export const derivedId = (...parts: readonly string[]): string =>
  v5(parts.map((part) => `${part.length}:${part}`).join(''), namespace);

export const sha256 = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** 256 random bits behind a prefix by which people and secret scanners know what it is. */
export const newSecret = (prefix: string): string =>
  `${prefix}${randomBytes(32).toString('base64url')}`;
