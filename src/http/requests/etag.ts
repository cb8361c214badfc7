/**
 * Entity tags, and the two conditions that a request may set on them (RFC 9110, section 13).
 *
 * Promises: a tag changes with whatever is shown, in no matter which language it is shown; only what counts use, and so
 * changes without anybody deciding it, may be left out. What is no tag matches nothing.
 */
import type { Request } from 'express';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';

/** Asked of a record before and inside its change; throws `precondition_failed`. */
export type Precondition = (record: unknown) => void;
export type EtagOf = { etagOf(record: unknown): string }['etagOf'];

/** 128 bits of a hash are beyond any accident. */
const tagLength = 32;

/** The same shown value always gives the same tag, in every process of a release. */
export const createEtag = (shown: unknown): string =>
  `"${sha256(JSON.stringify(shown)).slice(0, tagLength)}"`;

/** A value to be answered together with its tag. */
export class WithEtag<Data> {
  readonly data: Data;
  readonly tag: string;
  /** Whether the tag stands for everything that is shown, so that the same tag means nothing new. */
  readonly isWhole: boolean;

  constructor(data: Data, tag: string, isWhole = true) {
    this.data = data;
    this.tag = tag;
    this.isWhole = isWhole;
  }
}

const tags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

const tagsIn = (header: string): readonly string[] => header.match(tags) ?? [];

/**
 * What `If-Match` says that the record must be; undefined where it says nothing, or only that there must be one. A weak
 * tag matches nothing (RFC 9110, 8.8.3.2). Where records have no tags, no tag is theirs.
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

/** Whether `If-None-Match` says that the caller has this already; here weak tags are as good as strong ones. */
export function isNotModified(request: Request, tag: string | null): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined || tag === null) return false;
  return header.trim() === '*' || tagsIn(header).some((one) => one.replace(/^W\//, '') === tag);
}
