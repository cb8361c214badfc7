/**
 * Event search: one sorted page, and the number of matches up to a bound.
 *
 * Promises: every search reads a range of an index; a page continues where the previous one ended, also after inserts; every
 * query has a time limit. No payload is read for a page.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import type { Paged } from '../../domain/pagination.ts';
import {
  anyOf,
  countBounded,
  idIndex,
  maxCountMs,
  maxFindMs,
  maxTotal,
  nullIfTooSlow,
  readCountedPage,
  rejectTooSlow,
  type Counted,
} from '../db/queries.ts';
import type { Events } from './state-change.ts';
import { countByStateQuery, listIdsByState, stateBranches, type StateQuery } from './by-state.ts';
import { eventConditions, type EventFilter } from './event-filter.ts';

const eventDates = ['receivedAt', 'finishedAt', 'eventDate'] as const;

/** -1 sorts the newest first. An order by `finishedAt` or `eventDate` excludes events without that date. */
type EventOrder = {
  readonly field: (typeof eventDates)[number];
  readonly direction: 1 | -1;
};

/** The last event that the reader has, in the order. */
export type EventPosition = { readonly value: Date; readonly id: string };

export type EventPage = {
  readonly order: EventOrder;
  readonly skip: number;
  readonly limit: number;
  /** With `counted`, the count of the first page, the events are not counted again. */
  readonly after?: EventPosition & { readonly counted?: Counted };
};

export type EventSearchResult = Required<Paged<EventRecord>> & {
  /** Null at the end. */
  readonly next: EventPosition | null;
};

/** Each selects fewer events than a webhook or a state does, by an index of its own. */
const selective = [
  'externalId',
  'reason',
  'reasonIs',
  'parentId',
  'id',
  'anyOf',
] as const satisfies readonly (keyof EventFilter)[];

const isSelective = (filter: EventFilter): boolean =>
  selective.some((name) => filter[name] !== undefined);

/** With a hint, MongoDB would read a whole index for an empty list. */
const selectsNothing = (filter: EventFilter): boolean =>
  Object.values(filter).some((value) => Array.isArray(value) && value.length === 0);

/** Other filters are applied to the events of a webhook or of a time range, in the order of receipt. */
function hintOf(filter: EventFilter) {
  if (isSelective(filter)) return {};
  return { hint: filter.webhookId ? 'by_webhook' : idIndex };
}

const behind = ({ field, direction }: EventOrder, { value, id }: EventPosition) => {
  const [beyond, reached] = direction === 1 ? ['$gt', '$gte'] : ['$lt', '$lte'];
  const isBehindId = { _id: { [beyond as string]: id } };
  if (field === 'receivedAt') return isBehindId;
  return {
    [field]: { [reached as string]: value },
    $or: [{ [field]: { [beyond as string]: value } }, isBehindId],
  };
};

type Ordered = Pick<EventPage, 'order' | 'after'>;

function conditionsOf(filter: EventFilter, { order, after }: Ordered): object {
  const { field } = order;
  const isDated = field === 'receivedAt' ? [] : [{ [field]: { $type: 'date' } }];
  const rest = after ? [behind(order, after)] : [];
  return { $and: [eventConditions(filter), ...isDated, ...rest] };
}

/** Ids are in the order of receipt. */
const sortOf = ({ field, direction }: EventOrder): Record<string, 1 | -1> =>
  field === 'receivedAt' ? { _id: direction } : { [field]: direction, _id: direction };

/** Null when the events are not found by their state. Of these states, no event is a split body. */
function byState(filter: EventFilter, page: Ordered): StateQuery | null {
  const { state, ...rest } = filter;
  if (!state || isSelective(filter)) return null;
  const branches = stateBranches(state);
  return branches && { branches, where: conditionsOf({ ...rest, parents: true }, page) };
}

const withoutBodies = { delivery: 0, timeline: 0, resends: 0 } as const;

/** `isFull`: as many were found as asked for, though one may have been deleted since then. */
type Part = { readonly found: EventRecord[]; readonly isFull: boolean };

/** The functions throw QueryTooSlow. */
export function searchEvents(events: Events) {
  const read = (...asked: Parameters<typeof readPart>): Promise<Part> =>
    readPart(...asked).catch(rejectTooSlow);

  async function readPart(filter: EventFilter, page: EventPage, projection: object): Promise<Part> {
    if (selectsNothing(filter)) return { found: [], isFull: false };
    const { skip, limit, order } = page;
    const [sort, bounds] = [sortOf(order), { maxTimeMS: maxFindMs }];
    const query = byState(filter, page);
    if (!query) {
      const conditions = conditionsOf(filter, page);
      const options = { projection, sort, skip, limit, ...hintOf(filter), ...bounds };
      const found = await events.find(conditions, options).toArray();
      return { found, isFull: found.length === limit };
    }
    const ids = await listIdsByState(events, query, { sort, skip, limit, ...bounds });
    // With a hint, MongoDB reads the whole index for an empty list.
    if (ids.length === 0) return { found: [], isFull: false };
    const where = { _id: { $in: ids } };
    const found = await events
      .find(where, { projection, sort, hint: idIndex, ...bounds })
      .toArray();
    return { found, isFull: ids.length === limit };
  }

  async function search(filter: EventFilter, page: EventPage): Promise<EventSearchResult> {
    const { order, after } = page;
    let hasNext = false;
    const listed = await readCountedPage(page, {
      find: async ({ limit }) => {
        const { found, isFull } = await read(filter, { ...page, limit }, withoutBodies);
        hasNext = isFull;
        return found;
      },
      count: async () => after?.counted ?? count(events, filter, order),
    });
    const last = hasNext ? listed.results.at(-1) : undefined;
    return { ...listed, next: last ? eventPosition(last, order) : null };
  }

  return {
    search,
    page: (filter: EventFilter, page: EventPage & { bodies: boolean }): Promise<Part> =>
      read(filter, page, page.bodies ? { timeline: 0, resends: 0 } : withoutBodies),
  };
}

export const eventPosition = (event: EventRecord, { field }: EventOrder): EventPosition => ({
  value: event[field] ?? event.receivedAt,
  id: event._id,
});

/** The count is exact up to 10,000. Without a filter, a larger count is an estimate that includes split bodies. */
async function count(events: Events, filter: EventFilter, order: EventOrder): Promise<Counted> {
  const isBare = Object.entries(filter).every(
    ([name, value]) => name === 'parents' || value === undefined,
  );
  if (isBare && order.field === 'receivedAt') {
    const estimated = await events.estimatedDocumentCount({ maxTimeMS: maxCountMs });
    if (estimated > maxTotal) return { total: estimated, isExact: false };
  }
  if (selectsNothing(filter)) return { total: 0, isExact: true };
  const query = byState(filter, { order });
  if (query) return countBounded((bounds) => countByStateQuery(events, query, bounds));
  const conditions = conditionsOf(filter, { order });
  const hint = hintOf(filter);
  return countBounded((bounds) => events.countDocuments(conditions, { ...hint, ...bounds }));
}

/** The maximum number of different ids. Each is looked up separately. */
const maxPrefixed = 100;
const maxPrefixKeys = 1_000;

/** Returns null when more than 100 ids or at least 1,000 events match. Without webhook ids it reads index keys only. */
export async function findExternalIds(
  events: Events,
  prefix: string,
  webhookIds: readonly string[] | undefined,
): Promise<string[] | null> {
  const found = await events
    .find(
      {
        externalId: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` },
        ...anyOf({ webhookId: webhookIds }),
      },
      {
        projection: { _id: 0, externalId: 1 },
        sort: { externalId: 1, _id: -1 },
        limit: maxPrefixKeys,
        hint: 'by_external_id',
        maxTimeMS: maxCountMs,
      },
    )
    .toArray()
    .catch(nullIfTooSlow);
  if (!found) return null;
  const ids = new Set(found.flatMap(({ externalId }) => externalId ?? []));
  return found.length === maxPrefixKeys || ids.size > maxPrefixed ? null : [...ids];
}

/** Returns the stored reasons that have this code and a detail. Reads one index key for each reason. */
export async function listReasonDetails(events: Events, code: string): Promise<string[]> {
  const range = { $gte: `${code}:`, $lt: `${code};` } as const;
  const found = await events.distinct('reason', { reason: range }, { maxTimeMS: maxCountMs });
  return found.filter((reason) => reason !== null);
}
