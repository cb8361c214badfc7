/**
 * Cursors: the end of a page, encoded for the list that created it. A cursor holds the order, the position, the number of
 * the next page and the total of the first page. The next page therefore neither repeats nor misses an item while items
 * are inserted, and the total is counted once.
 */
import { Type } from 'typebox';
import { invalidQuery } from '../../base/errors.ts';

type Cursor = {
  readonly sortBy: string;
  readonly value: Date;
  readonly id: string;
  /** The number of the page that begins here. */
  readonly page: number;
  /** Absent in exports, which have no total. */
  readonly counted?: { readonly total: number; readonly isExact: boolean };
};

export const cursorParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 300,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The `next_cursor` of the previous page, with the same order.',
  }),
);

type Counted = readonly [total: number, isExact: boolean];
type Parts = readonly [sortBy: string, time: number, id: string, page: number, ...([] | Counted)];

const isParts = (value: unknown): value is Parts => {
  if (!Array.isArray(value) || ![4, 6].includes(value.length)) return false;
  const [sortBy, time, id, page, total, isExact] = value as unknown[];
  const isTime = typeof time === 'number' && !Number.isNaN(new Date(time).getTime());
  const isPage = Number.isInteger(page) && (page as number) > 0;
  const isTotal =
    value.length === 4 ||
    (Number.isInteger(total) && (total as number) >= 0 && typeof isExact === 'boolean');
  return typeof sortBy === 'string' && isTime && typeof id === 'string' && isPage && isTotal;
};

export function encodeCursor({ sortBy, value, id, page, counted }: Cursor): string {
  const rest = counted ? ([counted.total, counted.isExact] as const) : ([] as const);
  const parts: Parts = [sortBy, value.getTime(), id, page, ...rest];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Throws `invalid_query` for an invalid cursor, and for a cursor of another order. */
export function decodeCursor(text: string, sortBy: string): Cursor {
  const parts = parse(text);
  if (!isParts(parts)) throw invalidQuery('cursor', 'field.not_a_cursor');
  const [order, time, id, page, total, isExact] = parts;
  if (order !== sortBy) throw invalidQuery('cursor', 'field.cursor_of_other_order');
  const counted = total === undefined || isExact === undefined ? undefined : { total, isExact };
  return { sortBy, value: new Date(time), id, page, ...(counted && { counted }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}
