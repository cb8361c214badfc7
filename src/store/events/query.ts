/** Reading events, for workers by id and for people by filter. */
import type { EventRecord } from '../../domain/event.ts';
import { decisive } from '../connection.ts';
import type { Events } from './collection.ts';

export const findEvent = (events: Events) => (id: string) =>
  events.findOne({ _id: id }, { ...decisive });

export const findEvents = (events: Events) => (ids: readonly string[]) =>
  events.find({ _id: { $in: [...ids] } }, { ...decisive }).toArray();

/** Events without their bodies and timelines. */
export const findRecords = (events: Events) => (ids: readonly string[]) =>
  events
    .find({ _id: { $in: [...ids] } }, { projection: { delivery: 0, timeline: 0 }, ...decisive })
    .toArray();

/** The type is what lets the partial index of items be used: without it all events are read. */
const itemsOf = (parentIds: readonly string[]) =>
  ({ $in: [...parentIds], $type: 'string' }) as const;

/** Which of the bodies were split already, wholly or in part. */
export const splitAmong = (events: Events) => async (ids: readonly string[]) =>
  new Set(
    (await events.distinct('parentId', { parentId: itemsOf(ids) }, { ...decisive })).filter(
      (id) => id !== null,
    ),
  );

/** The newest events of a webhook that have a body of their own, one at a time. */
export const lastDelivered = (events: Events) => (webhookId: string, limit: number) =>
  events
    .find({ webhookId, delivery: { $ne: null } }, { sort: { receivedAt: -1, _id: -1 }, limit })
    .batchSize(20);

/** Several values of one field mean any of them; a field that is left out does not matter. */
export type EventFilter = {
  readonly webhookId?: readonly string[];
  readonly state?: readonly string[];
  readonly externalId?: readonly string[];
  readonly eventType?: readonly string[];
  readonly reason?: readonly string[];
  readonly mappingVersion?: readonly number[];
  readonly parentId?: readonly string[];
  /** Receipt, both ends included. */
  readonly from?: Date;
  readonly to?: Date;
  /** Whether bodies that were split into items are listed beside their items. */
  readonly parents: boolean;
};

export type EventPage = {
  readonly skip: number;
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
};

const filterFields = [
  'webhookId',
  'state',
  'externalId',
  'eventType',
  'reason',
  'mappingVersion',
] as const;

export function conditionsOf(filter: EventFilter): Record<string, unknown> {
  const conditions: Record<string, unknown> = {};
  for (const field of filterFields) {
    const values = filter[field];
    if (values) conditions[field] = { $in: [...values] };
  }
  if (filter.parentId) conditions.parentId = itemsOf(filter.parentId);
  if (filter.from || filter.to) {
    conditions.receivedAt = {
      ...(filter.from && { $gte: filter.from }),
      ...(filter.to && { $lte: filter.to }),
    };
  }
  if (!filter.parents) conditions.items = null;
  return conditions;
}

/** Without payloads, which a list never shows. */
export function listEvents(events: Events) {
  return async function list(
    filter: EventFilter,
    { skip, limit, sort }: EventPage,
  ): Promise<{ results: EventRecord[]; total: number }> {
    const conditions = conditionsOf(filter);
    const [results, total] = await Promise.all([
      events
        .find(conditions, {
          projection: { delivery: 0, timeline: 0 },
          skip,
          limit,
          sort: { ...sort },
        })
        .toArray(),
      events.countDocuments(conditions),
    ]);
    return { results, total };
  };
}

/** Receipt of the oldest event that is neither terminal nor held, or null. */
export function oldestOpenAt(events: Events) {
  return async function oldest(): Promise<Date | null> {
    const [event] = await events
      .find(
        { open: true },
        { projection: { receivedAt: 1 }, sort: { receivedAt: 1 }, limit: 1, maxTimeMS: 2_000 },
      )
      .toArray();
    return event?.receivedAt ?? null;
  };
}
