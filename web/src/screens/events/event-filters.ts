/**
 * The event filters in the URL, with the names of the API, so that other screens can link here.
 *
 * Promises: every URL gives a valid API request; unknown parameters and values are ignored.
 */
import type { Request } from '../../api/operation.ts';

export type Query = NonNullable<Request<'listEvents'>['query']>;
type Live = NonNullable<Request<'watchEvents'>['query']>;
type State = NonNullable<Query['state']>[number];

/** In the order of an event's life cycle. */
export const states: readonly State[] = [
  'received',
  'processing',
  'waiting',
  'done',
  'ignored',
  'dead',
  'discarded',
  'held',
];

const texts = [
  'search',
  'externalId',
  'externalIdPrefix',
  'eventType',
  'reason',
  'phone',
  'email',
] as const;
const ids = ['webhookId', 'contactId', 'parentId'] as const;
const others = ['state', 'mappingVersion', 'from', 'to', 'parents'] as const;
const filterNames = [...texts, ...ids, ...others] as const;
export type FilterName = (typeof filterNames)[number];

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;

const listOf = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

export const parseStates = (address: URLSearchParams): State[] =>
  states.filter((state) => listOf(address.get('state')).includes(state));

/** A date means the whole day in the local time zone; a timestamp is used as it is. */
function dateOf(text: string, edge: 'start' | 'end'): string | undefined {
  const date = day.test(text)
    ? new Date(`${text}T${edge === 'end' ? '23:59:59.999' : '00:00:00.000'}`)
    : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const filled = <Value>(list: Value[]): Value[] | undefined => (list.length > 0 ? list : undefined);

type Given = { -readonly [Name in keyof Query]: Query[Name] };

export function queryOf(address: URLSearchParams): Query {
  const read = (name: FilterName) => address.get(name)?.trim() || undefined;
  const versions = listOf(address.get('mappingVersion')).map(Number);
  const [from, to] = [read('from'), read('to')];
  const query: Given = {
    state: filled(parseStates(address)),
    mappingVersion: filled(versions.filter((one) => Number.isSafeInteger(one) && one > 0)),
    from: from && dateOf(from, 'start'),
    to: to && dateOf(to, 'end'),
    search: read('search'),
    phone: read('phone'),
    email: read('email'),
    externalIdPrefix: read('externalIdPrefix'),
    parents: address.get('parents') === 'true' || undefined,
  };
  for (const name of ['externalId', 'eventType', 'reason'] as const) {
    query[name] = filled(listOf(address.get(name)));
  }
  for (const name of ids) {
    query[name] = filled(listOf(address.get(name)).filter((one) => uuid.test(one)));
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Each leads the API to the events, or bounds how many it reads. */
const bounding = [
  'webhookId',
  'from',
  'externalId',
  'externalIdPrefix',
  'reason',
  'parentId',
  'contactId',
  'phone',
  'email',
  'search',
] as const satisfies readonly (keyof Query)[];

/** Whether the API refuses the query for lack of a webhook or the start of a time range. */
function isUnbounded(query: Query): boolean {
  const { state, eventType, mappingVersion } = query;
  if (bounding.some((name) => query[name] !== undefined)) return false;
  if (state) return state.includes('done');
  return eventType !== undefined || mappingVersion !== undefined;
}

export const recentDays = 7;

/** Adds the start of a week ago to a query that the API refuses without a bound. */
export function boundedQuery(query: Query, now = new Date()): Query {
  if (!isUnbounded(query)) return query;
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - recentDays);
  return { ...query, from: from.toISOString() };
}

/** Null when a live stream cannot apply the filter: an end date, an id prefix, or a text. */
export function liveQueryOf(query: Query): Live | null {
  const { to, externalIdPrefix, search, from: _from, ...rest } = query;
  const isFixed = [to, externalIdPrefix, search].some((value) => value !== undefined);
  return isFixed ? null : (rest as Live);
}

export const activeFilters = (address: URLSearchParams): readonly FilterName[] =>
  filterNames.filter((name) => (address.get(name) ?? '') !== '');

/** The URL with changed filters; an empty value removes a filter. Resets the page. */
export function withFilters(
  address: URLSearchParams,
  changes: Partial<Readonly<Record<FilterName, string>>>,
): URLSearchParams {
  const next = new URLSearchParams(address);
  next.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The filters alone, in a fixed order: equal for equal searches. */
export const filtersOf = (address: URLSearchParams): string =>
  new URLSearchParams(
    activeFilters(address).map((name): [string, string] => [name, address.get(name) ?? '']),
  ).toString();
