/**
 * Event search: one page in an order, and the number of matches as far as counting is cheap.
 *
 * Promises: every search uses an index; a page continues where the previous one ended, whatever was inserted since; every
 * query has a time limit. No payload is read for a page.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import type { Paged } from '../../domain/pagination.ts';
import { majorityRead } from '../db/connection.ts';
import { isTimeLimitExceeded } from '../db/errors.ts';
import type { Events } from '../events/collection.ts';
import { eventConditions, type EventFilter } from './event-filter.ts';
import { QueryTooSlow } from './selection.ts';
import {
  countBounded,
  maxCountMs,
  maxFindMs,
  maxTotal,
  readCountedPage,
} from '../db/counted-page.ts';
import type { Counted } from '../db/counted-page.ts';

const eventDates = ['receivedAt', 'finishedAt', 'eventDate'] as const;

/** By a date, newest first where `direction` is -1. By another date than receipt, events that have none are left out. */
type EventOrder = {
  readonly field: (typeof eventDates)[number];
  readonly direction: 1 | -1;
};

/** Everything up to here, in the order, is behind the reader. */
export type EventPosition = { readonly value: Date; readonly id: string };

export type EventPage = {
  readonly order: EventOrder;
  readonly skip: number;
  readonly limit: number;
  /** With what the first page counted, nothing is counted again. */
  readonly after?: EventPosition & { readonly counted?: Counted };
};

export type EventSearchResult = Required<Paged<EventRecord>> & {
  /** Null at the end. */
  readonly next: EventPosition | null;
};

/** The indexes answer these by themselves; what filters by nothing of them walks all events by receipt. */
const leading = [
  'webhookId',
  'state',
  'externalId',
  'eventType',
  'reason',
  'reasonIs',
  'parentId',
  'contactId',
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

/** What is asked of the database for a page. */
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

const tooSlow = (cause: unknown): unknown =>
  isTimeLimitExceeded(cause)
    ? new QueryTooSlow('The events cannot be found in time.', { cause })
    : cause;

const withoutBodies = { delivery: 0, timeline: 0, resends: 0 } as const;

/** Throws SelectionTooSlow. */
export function searchEvents(events: Events) {
  const read = (
    filter: EventFilter,
    page: EventPage,
    projection: object,
  ): Promise<EventRecord[]> => {
    const { conditions, sort } = searchQuery(filter, page);
    const { skip, limit } = page;
    return events
      .find(conditions, { projection, sort, skip, limit, maxTimeMS: maxFindMs, ...majorityRead })
      .toArray()
      .catch((error: unknown) => {
        throw tooSlow(error);
      });
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
    /** The next events, in order, and nothing counted. */
    page: (filter: EventFilter, page: EventPage & { bodies: boolean }): Promise<EventRecord[]> =>
      read(filter, page, page.bodies ? { timeline: 0, resends: 0 } : withoutBodies),
  };
}

export const eventPosition = (event: EventRecord, { field }: EventOrder): EventPosition => ({
  value: event[field] ?? event.receivedAt,
  id: event._id,
});

/** Exact up to ten thousand. Where nothing filters, more than that are estimated, split bodies included. */
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

/** As many different ids as are still looked up one by one. */
const maxPrefixed = 100;
const maxPrefixKeys = 1_000;

/**
 * The external ids that begin so, of these webhooks or of all; null when there are too many, or too many others among them.
 * Of all it reads index keys alone.
 */
export function findExternalIds(events: Events) {
  return async function named(
    prefix: string,
    webhookIds: readonly string[] | undefined,
  ): Promise<string[] | null> {
    const found = await events
      .find(
        {
          externalId: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` },
          ...(webhookIds && { webhookId: { $in: [...webhookIds] } }),
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
      .catch((error: unknown) => {
        if (isTimeLimitExceeded(error)) return null;
        throw error;
      });
    if (!found) return null;
    const ids = new Set(found.flatMap(({ externalId }) => externalId ?? []));
    return found.length === maxPrefixKeys || ids.size > maxPrefixed ? null : [...ids];
  };
}

/** The reasons there are that say more behind the code; reads one index key for each. */
export const listReasonDetails =
  (events: Events) =>
  async (code: string): Promise<string[]> => {
    const range = { $gte: `${code}:`, $lt: `${code};` } as const;
    const found = await events.distinct('reason', { reason: range }, { maxTimeMS: maxCountMs });
    return found.filter((reason) => reason !== null);
  };
