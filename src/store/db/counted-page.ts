/**
 * One page of a list, and the number of all matches, counted up to a bound.
 *
 * Promises: reading a page takes a bounded time, and a slower read is rejected; an inexact total has `isExact: false` and is
 * a lower bound.
 */
import { AppError } from '../../base/errors.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { majorityRead } from './connection.ts';
import { isTimeLimitExceeded } from './errors.ts';

/** Counting 10,000 index keys with their documents takes about 50 ms. */
export const maxTotal = 10_000;
export const maxCountMs = 800;
export const maxFindMs = 10_000;

export type Counted = { readonly total: number; readonly isExact: boolean };

/** The limit is one more than the bound, to tell whether the bound was exceeded. */
type CountBounds = {
  readonly limit: number;
  readonly maxTimeMS: number;
} & typeof majorityRead;

/** Counts at most `most` matches. Returns 0 and not exact when counting takes longer than `maxCountMs`. */
export async function countBounded(
  count: (bounds: CountBounds) => Promise<number>,
  most = maxTotal,
): Promise<Counted> {
  try {
    const found = await count({ limit: most + 1, maxTimeMS: maxCountMs, ...majorityRead });
    return { total: Math.min(found, most), isExact: found <= most };
  } catch (error) {
    if (!isTimeLimitExceeded(error)) throw error;
    return { total: 0, isExact: false };
  }
}

/** The part of a list to read for a page, with the time limit in milliseconds. */
type PageBounds = {
  readonly skip: number;
  readonly limit: number;
  readonly maxTimeMS: number;
};

type CountedList<Item> = {
  readonly find: (page: PageBounds) => Promise<Item[]>;
  readonly count: () => Promise<Counted>;
};

/**
 * Reads a page and counts at the same time. It reads one document more than the page, so that the total shows a next page
 * even when the count times out. Throws `invalid_query` when reading the page takes longer than `maxFindMs`.
 */
export async function readCountedPage<Item>(
  { skip, limit }: Pick<Page, 'skip' | 'limit'>,
  { find, count }: CountedList<Item>,
): Promise<Required<Paged<Item>>> {
  const [found, { total, isExact }] = await Promise.all([
    find({ skip, limit: limit + 1, maxTimeMS: maxFindMs }).catch(rejectSlow),
    count(),
  ]);
  const seen = found.length === 0 ? 0 : skip + found.length;
  return { results: found.slice(0, limit), total: Math.max(total, seen), isExact };
}

function rejectSlow(cause: unknown): never {
  if (!isTimeLimitExceeded(cause)) throw cause;
  const fields = [{ path: '', message: 'the query takes too long: use more filters' }];
  throw new AppError('invalid_query', { details: { fields }, cause });
}
