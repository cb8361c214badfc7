/**
 * Event search: one sorted page, and the number of matches up to a bound.
 *
 * Promises: every search uses an index; a page continues where the previous one ended, also after inserts; every
 * query has a time limit. No payload is read for a page.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import type { Paged } from '../../domain/pagination.ts';
import {
  anyOf,
  countBounded,
  maxCountMs,
  maxFindMs,
  maxTotal,
  nullIfTooSlow,
  readCountedPage,
  rejectTooSlow,
  type Counted,
} from '../db/queries.ts';
import type { Events } from '../events/state-change.ts';
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

/** Fields that have an index. A filter without any of them scans all events by receipt. */
const leading = [
  'webhookId',
  'state',
  'externalId',
  'eventType',
  'reason',
  'reasonIs',
  'parentId',
  'contactId',
  'anyOf',
  'from',
  'to',
  'eventFrom',
  'eventTo',
] as const;
const hintOf = (filter: EventFilter) =>
  leading.some((field) => filter[field] !== undefined) ? {} : { hint: 'by_time' };

const behind = ({ field, direction }: EventOrder, { value, id }: EventPosition) => {
  const [beyond, reached] = direction === 1 ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return {
    [field]: { [reached as string]: value },
    $or: [{ [field]: { [beyond as string]: value } }, { _id: { [beyond as string]: id } }],
  };
};

export function searchQuery(
  filter: EventFilter,
  { order, after }: Pick<EventPage, 'order' | 'after'>,
) {
  const { field, direction } = order;
  const isDated = field === 'receivedAt' ? [] : [{ [field]: { $type: 'date' } }];
  const rest = after ? [behind(order, after)] : [];
  return {
    conditions: { $and: [eventConditions(filter), ...isDated, ...rest] },
    sort: { [field]: direction, _id: direction },
  };
}

const withoutBodies = { delivery: 0, timeline: 0, resends: 0 } as const;

/** The functions throw QueryTooSlow. */
export function searchEvents(events: Events) {
  const read = (filter: EventFilter, page: EventPage, projection: object) => {
    const { conditions, sort } = searchQuery(filter, page);
    const { skip, limit } = page;
    return events
      .find(conditions, { projection, sort, skip, limit, maxTimeMS: maxFindMs })
      .toArray()
      .catch(rejectTooSlow);
  };

  async function search(filter: EventFilter, page: EventPage): Promise<EventSearchResult> {
    const { order, after } = page;
    let hasNext = false;
    const listed = await readCountedPage(page, {
      find: async ({ limit }) => {
        const found = await read(filter, { ...page, limit }, withoutBodies);
        hasNext = found.length === limit;
        return found;
      },
      count: async () => after?.counted ?? count(events, filter, order),
    });
    const last = hasNext ? listed.results.at(-1) : undefined;
    return { ...listed, next: last ? eventPosition(last, order) : null };
  }

  return {
    search,
    page: (filter: EventFilter, page: EventPage & { bodies: boolean }): Promise<EventRecord[]> =>
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
  const { conditions } = searchQuery(filter, { order });
  const hint = order.field === 'receivedAt' ? hintOf(filter) : {};
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
        sort: { externalId: 1, receivedAt: -1, _id: -1 },
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
