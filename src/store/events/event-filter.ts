/** Event filters: as query conditions that use the indexes, and as a predicate for one event. */
import type { EventRecord } from '../../domain/events/event.ts';
import { firstIdAt } from '../../base/ids.ts';
import { dateBounds, escapeRegex, idBounds } from '../db/queries.ts';

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
  /** The contact of the event's effects. No index includes it: a search uses `id`. */
  readonly contactId?: readonly string[];
  readonly id?: readonly string[];
  readonly anyOf?: { readonly id: readonly string[]; readonly externalId: readonly string[] };
  /** The time of receipt as the id has it, both ends included. */
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

/** The fields that are compared with a list of values, and where events have them. */
const listed = {
  webhookId: ['webhookId', (event) => event.webhookId],
  state: ['state', (event) => event.state],
  externalId: ['externalId', (event) => event.externalId],
  eventType: ['eventType', (event) => event.eventType],
  mappingVersion: ['mappingVersion', (event) => event.mappingVersion],
  contactId: ['effects.contactId', (event) => event.effects?.contactId],
  reasonIs: ['reason', (event) => event.reason],
} as const satisfies Readonly<
  Partial<Record<keyof EventFilter, readonly [string, (event: EventRecord) => unknown]>>
>;
const listedNames = Object.keys(listed) as (keyof typeof listed)[];

/** Each branch uses an index of its own. */
const anyConditions = ({ id, externalId }: NonNullable<EventFilter['anyOf']>) => [
  { _id: { $in: [...id] } },
  { externalId: { $in: [...externalId] } },
];

export function eventConditions(filter: EventFilter): Record<string, unknown> {
  const { id, parentId, reason, anyOf, from, to, eventFrom, eventTo } = filter;
  const conditions: Record<string, unknown> = {};
  for (const name of listedNames) {
    const values = filter[name];
    if (values) conditions[listed[name][0]] = { $in: [...values] };
  }
  if (anyOf) conditions.$or = anyConditions(anyOf);
  if (parentId) conditions.parentId = textIn(parentId);
  if (reason && !filter.reasonIs) conditions.reason = reasonIn(reason);
  if (id || from || to) {
    conditions._id = { ...(id && { $in: [...id] }), ...idBounds({ from, to }) };
  }
  if (eventFrom || eventTo) {
    conditions.eventDate = { ...dateBounds({ from: eventFrom, to: eventTo }), $type: 'date' };
  }
  if (!filter.parents) conditions.items = null;
  return conditions;
}

const isAmong = (values: readonly unknown[] | undefined, value: unknown) =>
  values === undefined || (value !== null && value !== undefined && values.includes(value));

const isReason = (codes: readonly string[] | undefined, reason: string | null): boolean =>
  codes === undefined ||
  (reason !== null && codes.some((code) => reason === code || reason.startsWith(`${code}:`)));

const isWithin = (date: Date | null, from: Date | undefined, to: Date | undefined): boolean =>
  (!from && !to) || (date !== null && (!from || date >= from) && (!to || date <= to));

const isAnyOf = (anyOf: EventFilter['anyOf'], event: EventRecord): boolean =>
  anyOf === undefined ||
  isAmong(anyOf.id, event._id) ||
  isAmong(anyOf.externalId, event.externalId);

const isReceivedWithin = ({ _id }: EventRecord, from?: Date, to?: Date): boolean =>
  (!from || _id >= firstIdAt(+from)) && (!to || _id < firstIdAt(+to + 1));

/** Returns whether the query conditions of `eventConditions` match the event. */
export function matchesEvent(filter: EventFilter, event: EventRecord): boolean {
  const { from, to, eventFrom, eventTo, parents } = filter;
  return (
    listedNames.every((name) => isAmong(filter[name], listed[name][1](event))) &&
    isAmong(filter.id, event._id) &&
    isAmong(filter.parentId, event.parentId) &&
    isAnyOf(filter.anyOf, event) &&
    isReason(filter.reason, event.reason) &&
    isReceivedWithin(event, from, to) &&
    isWithin(event.eventDate, eventFrom, eventTo) &&
    (parents || event.items === null)
  );
}
