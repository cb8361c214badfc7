/** Which searches for events need a webhook or the start of a time range, because no index finds their events. */
import { AppError } from '../../base/errors.ts';
import type { RunFilter } from '../../domain/events/run.ts';
import type { EventPage } from '../../store/events/search.ts';

/** Each leads to the events by an index, or bounds how many are read. */
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
] as const;

/** No index includes these. */
const scanned = ['eventType', 'mappingVersion', 'eventFrom', 'eventTo'] as const;

type Asked = { readonly state?: readonly string[] };

const isGiven = (asked: Asked, name: string): boolean =>
  (asked as Readonly<Record<string, unknown>>)[name] !== undefined;

/** The states that are not `done` have small indexes. */
const isByState = (states: readonly string[] | undefined): boolean =>
  states !== undefined && !states.includes('done');

function rejectUnbounded(paths: readonly string[]): never {
  const message = 'field.needs_bound';
  throw new AppError('unbounded_query', {
    details: { fields: paths.map((path) => ({ path, message })) },
  });
}

/** Throws `unbounded_query`, with the parameters that need a bound. */
export function requireBound(asked: Asked, { field }: EventPage['order']): void {
  const { state } = asked;
  if (isByState(state) || bounding.some((name) => isGiven(asked, name))) return;
  const given = [
    ...scanned.filter((name) => isGiven(asked, name)),
    ...(state ? ['state'] : []),
    ...(field === 'receivedAt' ? [] : ['sort_by']),
  ];
  if (given.length > 0) rejectUnbounded(given);
}

/** Throws `unbounded_query` for a run that may change `done` events of all webhooks. */
export function requireRunBound(filter: RunFilter, states: readonly string[]): void {
  if (filter.ids || isByState(states) || bounding.some((name) => isGiven(filter, name))) return;
  rejectUnbounded(['/filter']);
}
