/**
 * Parts of queries and updates, and the reading of pages.
 *
 * Promises: reading a counted page takes a bounded time, and a slower read is rejected; an inexact total has `isExact: false`
 * and is a lower bound.
 */
import { invalidQuery } from '../../base/errors.ts';
import { firstIdAt } from '../../base/ids.ts';
import { formatVersion } from '../../domain/format-version.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import type { Collection } from './collection.ts';
import type { Session } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { isTimeLimitExceeded } from './errors.ts';

/** Matches the documents that this release may work on, for claims and what is looked for to be claimed. `needs` is mostly absent. */
export const readable = { needs: { $not: { $gt: formatVersion } } } as const;

/** Marks a value that MongoDB must not evaluate. External text is always marked, because it may begin with `$`. */
export const literal = (value: unknown) => ({ $literal: value });

/** An expression for the value with the document's id, so that one update of many writes different values in a third of the time. */
export const valueById = (values: ReadonlyMap<string, unknown>) => ({
  $arrayElemAt: [
    literal([...values.values()]),
    { $indexOfArray: [literal([...values.keys()]), '$_id'] },
  ],
});

export const msFromNow = (ms: number | string | object) => ({ $add: ['$$NOW', ms] });

/** NUL is written as `\x00`, because MongoDB rejects an expression that contains it. */
export const escapeRegex = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replaceAll('\0', '\\x00');

/** The hint where documents are named by id and have further conditions: MongoDB would try other indexes, for 10 µs a document. */
export const idIndex = '_id_';

type Filter = Readonly<Record<string, unknown>>;

export const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0;

/** Returns a filter with `$in` for each list. Undefined lists are omitted. */
export function anyOf(lists: Readonly<Record<string, readonly unknown[] | undefined>>): Filter {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  );
}

/** Returns the query operators for a date range, both ends included. */
export const dateBounds = ({ from, to }: DateRange) => ({
  ...(from && { $gte: from }),
  ...(to && { $lte: to }),
});

/** Returns the query operators for ids of this time range, both ends included. The time is the one in the ids. */
export const idBounds = ({ from, to }: DateRange) => ({
  ...(from && { $gte: firstIdAt(+from) }),
  ...(to && { $lt: firstIdAt(+to + 1) }),
});

export function inDateRange(field: string, range: DateRange): Filter {
  return range.from || range.to ? { [field]: dateBounds(range) } : {};
}

/** Returns the sort direction for `_id`: that of the last sort field, so that one index serves both directions. */
export const tieBreakDirection = (sort: Page['sort']): 1 | -1 => Object.values(sort).at(-1) ?? 1;

/** Returns the sort order with the id last, so that no two documents are equal in it. */
export const totalOrder = (sort: Page['sort']): Page['sort'] => ({
  ...sort,
  _id: tieBreakDirection(sort),
});

export const exists = async <Doc extends { _id: string }>(
  collection: Collection<Doc>,
  filter: Filter,
  options: { readonly session?: Session; readonly hint?: string; readonly maxTimeMS?: number } = {},
): Promise<boolean> => {
  const where = filter as Parameters<typeof collection.findOne>[0];
  return (await collection.findOne(where, { projection: { _id: 1 }, ...options })) !== null;
};

type Grouping = {
  readonly match: Filter;
  /** The field or the expression to group by. */
  readonly by: unknown;
  /** Matches beyond it are not counted. */
  readonly limit: number;
  readonly options?: { readonly hint?: string; readonly maxTimeMS?: number };
};

/** Counts the matches by a key. */
export const countBy = <Key>(
  collection: Pick<Collection<{ _id: string }>, 'aggregate'>,
  { match, by, limit, options }: Grouping,
): Promise<{ key: Key; count: number }[]> =>
  collection
    .aggregate<{ key: Key; count: number }>(
      [
        { $match: match },
        { $limit: limit },
        { $group: { _id: by, count: { $sum: 1 } } },
        { $project: { _id: 0, key: '$_id', count: 1 } },
      ],
      options,
    )
    .toArray();

type IdOptions = {
  readonly sort?: Page['sort'];
  readonly skip?: number;
  readonly limit?: number;
  readonly hint?: string;
  readonly maxTimeMS?: number;
  readonly session?: Session;
  readonly batchSize?: number;
};

export async function listIds<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  filter: Filter,
  options: IdOptions = {},
): Promise<string[]> {
  const where = filter as Parameters<typeof collection.find>[0];
  const found = await collection
    .find<{ _id: string }>(where, { ...options, projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

export const listAllIds = <Doc extends { _id: string }>(collection: Collection<Doc>) =>
  listIds(collection, {}, { hint: idIndex });

type ChangeBounds = { readonly since: Date; readonly limit: number };

/** Newest first. A change becomes visible at its commit, which may be later than its time. Rejects after 6 s. */
export async function listChanges<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  field: string,
  { since, limit }: ChangeBounds,
): Promise<{ id: string; changedAt: Date }[]> {
  const where = { [field]: { $gte: since } } as Parameters<typeof collection.find>[0];
  const found = await withDeadline((abort) =>
    collection
      .find<{ _id: string; changedAt: Date }>(where, {
        sort: { [field]: -1 },
        limit,
        projection: { changedAt: `$${field}` },
        ...abort,
      })
      .toArray(),
  );
  return found.map(({ _id, changedAt }) => ({ id: _id, changedAt }));
}

/** For a small collection. `hint` names an index in the order of the list, for conditions without an index. */
export async function readPage<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  filter: Filter,
  { sort, skip, limit, hint, projection }: Page & { hint?: string; projection?: object },
): Promise<Paged<Doc>> {
  const where = filter as Parameters<typeof collection.find>[0];
  // Without conditions MongoDB would read every document. The hint makes it count the smallest index.
  const countHint = isEmpty(filter) ? idIndex : hint;
  const [results, total] = await Promise.all([
    collection
      .find(where, { sort: totalOrder(sort), skip, limit, hint, projection })
      .toArray() as Promise<Doc[]>,
    collection.countDocuments(where, countHint === undefined ? {} : { hint: countHint }),
  ]);
  return { results, total };
}

/** A query exceeded its time limit, because no index fits the filter. A retry does not help. */
export class QueryTooSlow extends Error {
  override readonly name = 'QueryTooSlow';
}

/** For `catch`: returns null when the time limit was exceeded, and throws the error otherwise. */
export function nullIfTooSlow(error: unknown): null {
  if (error instanceof QueryTooSlow || isTimeLimitExceeded(error)) return null;
  throw error;
}

/** For `catch`: throws QueryTooSlow when the time limit was exceeded, and the error itself otherwise. */
export function rejectTooSlow(cause: unknown): never {
  throw isTimeLimitExceeded(cause)
    ? new QueryTooSlow('The query exceeded its time limit.', { cause })
    : cause;
}

/** Counting 10,000 index keys with their documents takes about 50 ms. */
export const maxTotal = 10_000;
export const maxCountMs = 800;
export const maxFindMs = 10_000;

export type Counted = { readonly total: number; readonly isExact: boolean };

/** The limit is one more than the bound, to tell whether the bound was exceeded. */
type CountBounds = { readonly limit: number; readonly maxTimeMS: number };

/** Counts at most `most` matches. Returns 0 and not exact when counting takes longer than `maxCountMs`. */
export async function countBounded(
  count: (bounds: CountBounds) => Promise<number>,
  most = maxTotal,
): Promise<Counted> {
  try {
    const found = await count({ limit: most + 1, maxTimeMS: maxCountMs });
    return { total: Math.min(found, most), isExact: found <= most };
  } catch (error) {
    if (!isTimeLimitExceeded(error)) throw error;
    return { total: 0, isExact: false };
  }
}

type PageBounds = CountBounds & { readonly skip: number };

type CountedList<Item> = {
  readonly find: (page: PageBounds) => Promise<Item[]>;
  readonly count: () => Promise<Counted>;
  /** Of reading the page. Default: `maxFindMs`. */
  readonly maxMs?: number | undefined;
};

/**
 * Reads a page and counts at the same time. It reads one document more than the page, so that the total shows a next page
 * even when the count times out. Throws `invalid_query` when reading the page takes longer than `maxMs`.
 */
export async function readCountedPage<Item>(
  { skip, limit }: Pick<Page, 'skip' | 'limit'>,
  { find, count, maxMs = maxFindMs }: CountedList<Item>,
): Promise<Required<Paged<Item>>> {
  const [found, { total, isExact }] = await Promise.all([
    find({ skip, limit: limit + 1, maxTimeMS: maxMs }).catch(rejectSlow),
    count(),
  ]);
  const seen = found.length === 0 ? 0 : skip + found.length;
  return { results: found.slice(0, limit), total: Math.max(total, seen), isExact };
}

function rejectSlow(cause: unknown): never {
  if (!isTimeLimitExceeded(cause)) throw cause;
  throw invalidQuery('', 'field.slow_query', cause);
}

type List = {
  readonly where: Filter;
  readonly page: Page;
  readonly projection?: object;
  /** Further options of the count, for example an index that MongoDB does not choose by itself. */
  readonly countOptions?: { readonly hint?: string };
  readonly count?: () => Promise<Counted>;
  readonly maxMs?: number;
};

export function readList<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  { where: filter, page, projection, countOptions, count, maxMs }: List,
): Promise<Required<Paged<Doc>>> {
  const where = filter as Parameters<typeof collection.find>[0];
  const sort = totalOrder(page.sort);
  return readCountedPage(page, {
    maxMs,
    find: (part) =>
      collection.find(where, { projection, ...part, sort }).toArray() as Promise<Doc[]>,
    count:
      count ??
      (() =>
        countBounded((bounds) => collection.countDocuments(where, { ...countOptions, ...bounds }))),
  });
}
