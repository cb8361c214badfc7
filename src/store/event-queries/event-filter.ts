/** Event filters: as query conditions that use the indexes, and as a predicate for one event. */
import type { EventRecord } from '../../domain/events/event.ts';
import { dateBounds, escapeRegex } from '../db/queries.ts';

/** Several values of one field match any of them. An absent field matches every event. */
export type EventFilter = {
  readonly webhookId?: readonly string[];
  readonly state?: readonly string[];
  readonly externalId?: readonly string[];
  readonly eventType?: readonly string[];
  /** A code also matches reasons with a detail: `required_missing` matches `required_missing:contact.phone`. */
  readonly reason?: readonly string[];
  /** Complete reasons, as events store them. They can use the order of an index. */
  readonly reasonIs?: readonly string[];
  readonly mappingVersion?: readonly number[];
  readonly parentId?: readonly string[];
  /** The contact of the event's effects. */
  readonly contactId?: readonly string[];
  readonly anyOf?: {
    readonly id: readonly string[];
    readonly externalId: readonly string[];
    readonly contactId: readonly string[];
  };
  /** The time of receipt, both ends included. */
  readonly from?: Date;
  readonly to?: Date;
  /** The event date from the payload, both ends included. */
  readonly eventFrom?: Date;
  readonly eventTo?: Date;
  /** Whether the results include bodies that were split into items. */
  readonly parents: boolean;
};

/** `$type` lets MongoDB use the partial index of items. Without it, all events are read. */
export const textIn = (values: readonly string[]) =>
  ({ $in: [...values], $type: 'string' }) as const;

const reasonIn = (codes: readonly string[]) => ({
  $in: codes.flatMap((code) => [code, new RegExp(`^${escapeRegex(code)}:`)]),
});

const plainFields = ['webhookId', 'state', 'eventType', 'mappingVersion'] as const;

/** Each branch uses an index of its own. */
const anyConditions = ({ id, externalId, contactId }: NonNullable<EventFilter['anyOf']>) => [
  { _id: { $in: [...id] } },
  { externalId: { $in: [...externalId] } },
  { 'effects.contactId': { $in: [...contactId] } },
];

export function eventConditions(filter: EventFilter): Record<string, unknown> {
  const { externalId, contactId, parentId, reason, reasonIs, anyOf } = filter;
  const { from, to, eventFrom, eventTo } = filter;
  const conditions: Record<string, unknown> = {};
  for (const field of plainFields) {
    const values = filter[field];
    if (values) conditions[field] = { $in: [...values] };
  }
  if (externalId) conditions.externalId = { $in: [...externalId] };
  if (contactId) conditions['effects.contactId'] = { $in: [...contactId] };
  if (anyOf) conditions.$or = anyConditions(anyOf);
  if (parentId) conditions.parentId = textIn(parentId);
  if (reason) conditions.reason = reasonIn(reason);
  if (reasonIs) conditions.reason = { $in: [...reasonIs] };
  if (from || to) conditions.receivedAt = dateBounds({ from, to });
  if (eventFrom || eventTo) {
    conditions.eventDate = { ...dateBounds({ from: eventFrom, to: eventTo }), $type: 'date' };
  }
  if (!filter.parents) conditions.items = null;
  return conditions;
}

const isAmong = <Value>(values: readonly Value[] | undefined, value: Value | null | undefined) =>
  values === undefined || (value !== null && value !== undefined && values.includes(value));

const isReason = (codes: readonly string[] | undefined, reason: string | null): boolean =>
  codes === undefined ||
  (reason !== null && codes.some((code) => reason === code || reason.startsWith(`${code}:`)));

const isWithin = (date: Date | null, from: Date | undefined, to: Date | undefined): boolean =>
  (!from && !to) || (date !== null && (!from || date >= from) && (!to || date <= to));

const isAnyOf = (anyOf: EventFilter['anyOf'], event: EventRecord): boolean =>
  anyOf === undefined ||
  isAmong(anyOf.id, event._id) ||
  isAmong(anyOf.externalId, event.externalId) ||
  isAmong(anyOf.contactId, event.effects?.contactId);

/** Returns whether the query conditions of `eventConditions` match the event. */
export function matchesEvent(filter: EventFilter, event: EventRecord): boolean {
  const { from, to, eventFrom, eventTo, parents } = filter;
  return (
    isAmong(filter.webhookId, event.webhookId) &&
    isAmong(filter.state, event.state) &&
    isAmong(filter.externalId, event.externalId) &&
    isAmong(filter.eventType, event.eventType) &&
    isAmong(filter.mappingVersion, event.mappingVersion) &&
    isAmong(filter.parentId, event.parentId) &&
    isAmong(filter.contactId, event.effects?.contactId) &&
    isAnyOf(filter.anyOf, event) &&
    isAmong(filter.reasonIs, event.reason) &&
    isReason(filter.reason, event.reason) &&
    isWithin(event.receivedAt, from, to) &&
    isWithin(event.eventDate, eventFrom, eventTo) &&
    (parents || event.items === null)
  );
}
