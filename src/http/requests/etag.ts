/**
 * Entity tags, and the conditions `If-Match` and `If-None-Match` (RFC 9110, section 13).
 *
 * Promises: an etag changes with every shown field, except fields that a resource excludes (counters of use). It does not
 * depend on the language. An invalid etag matches nothing.
 */
import type { Request } from 'express';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';

/** Checks a record before and inside its change. Throws `precondition_failed`. */
type Precondition = (record: unknown) => void;
export type EtagOf = { etagOf(record: unknown): string }['etagOf'];

/** Hexadecimal digits, 128 bits of the hash. */
const tagLength = 32;

/** Returns the etag of a value. It is the same in every process of a release. */
export const createEtag = (shown: unknown): string =>
  `"${sha256(JSON.stringify(shown)).slice(0, tagLength)}"`;

/** A value that is answered with its etag. */
export class WithEtag<Data> {
  readonly data: Data;
  readonly tag: string;
  /** Whether the etag covers all shown fields, so that the same etag means an unchanged answer (304). */
  readonly isWhole: boolean;

  constructor(data: Data, tag: string, { isWhole = true } = {}) {
    this.data = data;
    this.tag = tag;
    this.isWhole = isWhole;
  }
}

const tags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

const tagsIn = (header: string): readonly string[] => header.match(tags) ?? [];

/**
 * Returns the condition of `If-Match`; undefined without the header, or for `*`. A weak etag matches nothing (RFC 9110,
 * 8.8.3.2), and nothing matches a record without an etag.
 */
export function preconditionOf(
  request: Request,
  tagOf: EtagOf | undefined,
): Precondition | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  const expected = tagsIn(header);
  return (record) => {
    if (tagOf && expected.includes(tagOf(record))) return;
    throw new AppError('precondition_failed');
  };
}

/** Whether `If-None-Match` names the etag. Weak etags match as strong ones do. */
export function isNotModified(request: Request, tag: string | null): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined || tag === null) return false;
  return header.trim() === '*' || tagsIn(header).some((one) => one.replace(/^W\//, '') === tag);
}
