/**
 * A page of a list, and how many there are on all pages: counted as far as anybody turns pages, and no longer than a person waits.
 *
 * Promises: a page costs a bounded time however much is stored, and one that would take longer is refused; a total that is
 * not the whole one says so, and there are at least so many.
 */
import { AppError } from '../../base/errors.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { majorityRead } from './connection.ts';
import { isTimeLimitExceeded } from './errors.ts';

/** Ten thousand index keys and their documents are counted in about 50 ms; beyond, nobody turns pages. */
export const maxTotal = 10_000;
export const maxCountMs = 800;
export const maxFindMs = 10_000;

export type Counted = { readonly total: number; readonly isExact: boolean };

/** One more than the bound, by which shows whether it was reached. */
export type CountBounds = {
  readonly limit: number;
  readonly maxTimeMS: number;
} & typeof majorityRead;

/** Zero, and not exact, where even so many cannot be counted in time. */
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

/** What is read of a list for one page of it, and how long that may take. */
export type PageBounds = {
  readonly skip: number;
  readonly limit: number;
  readonly maxTimeMS: number;
};

export type CountedList<Item> = {
  readonly find: (page: PageBounds) => Promise<Item[]>;
  readonly count: () => Promise<Counted>;
};

/**
 * Both at once. One more than the page is read: where the count ran out of time, that one shows that there is a next page.
 * Throws `invalid_query` when no index has the page in order and it cannot be read in time.
 */
export async function readCountedPage<Item>(
  { skip, limit }: Pick<Page, 'skip' | 'limit'>,
  { find, count }: CountedList<Item>,
): Promise<Required<Paged<Item>>> {
  const [found, { total, isExact }] = await Promise.all([
    find({ skip, limit: limit + 1, maxTimeMS: maxFindMs }).catch(refuseSlow),
    count(),
  ]);
  const seen = found.length === 0 ? 0 : skip + found.length;
  return { results: found.slice(0, limit), total: Math.max(total, seen), isExact };
}

function refuseSlow(cause: unknown): never {
  if (!isTimeLimitExceeded(cause)) throw cause;
  const fields = [{ path: '', message: 'the query takes too long: use more filters' }];
  throw new AppError('invalid_query', { details: { fields }, cause });
}
