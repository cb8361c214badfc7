/** Event filters: as a condition that the indexes can answer, and as a predicate for one event. */
import type { EventRecord } from '../../domain/events/event.ts';
import { dateBounds } from '../db/model.ts';
import { escapeRegex } from '../db/escape-regex.ts';

/** Several values of one field mean any of them; a field that is left out does not matter. */
export type EventFilter = {
  readonly webhookId?: readonly string[];
  readonly state?: readonly string[];
  readonly externalId?: readonly string[];
  readonly eventType?: readonly string[];
  /** A code stands for all that it may say behind a colon: `required_missing` for `required_missing:contact.phone`. */
  readonly reason?: readonly string[];
  /** Whole reasons, as they stand on events: what an index has in order. */
  readonly reasonIs?: readonly string[];
  readonly mappingVersion?: readonly number[];
  readonly parentId?: readonly string[];
  /** Whom its effects went to. */
  readonly contactId?: readonly string[];
  /** Receipt, both ends included. */
  readonly from?: Date;
  readonly to?: Date;
  /** The date that the event itself names, both ends included. */
  readonly eventFrom?: Date;
  readonly eventTo?: Date;
  /** Whether bodies that were split into items are listed beside their items. */
  readonly parents: boolean;
};

/** The type is what lets the partial index of items be used: without it all events are read. */
export const textIn = (values: readonly string[]) =>
  ({ $in: [...values], $type: 'string' }) as const;

const reasonIn = (codes: readonly string[]) => ({
  $in: codes.flatMap((code) => [code, new RegExp(`^${escapeRegex(code)}:`)]),
});

const plainFields = ['webhookId', 'state', 'eventType', 'mappingVersion'] as const;

export function eventConditions(filter: EventFilter): Record<string, unknown> {
  const { externalId, contactId, parentId, reason, reasonIs } = filter;
  const { from, to, eventFrom, eventTo } = filter;
  const conditions: Record<string, unknown> = {};
  for (const field of plainFields) {
    const values = filter[field];
    if (values) conditions[field] = { $in: [...values] };
  }
  if (externalId) conditions.externalId = { $in: [...externalId] };
  if (contactId) conditions['effects.contactId'] = { $in: [...contactId] };
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

/** As `conditionsOf` would find it. */
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
    isAmong(filter.reasonIs, event.reason) &&
    isReason(filter.reason, event.reason) &&
    isWithin(event.receivedAt, from, to) &&
    isWithin(event.eventDate, eventFrom, eventTo) &&
    (parents || event.items === null)
  );
}
