/** The query of events: the same parameters for the list, the export and the live stream. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { EventQuery } from './event-search.ts';
import { invalidQuery } from '../../base/errors.ts';
import { eventStates } from '../../domain/events/event.ts';
import { narrowIds, type Caller } from '../../domain/access/token.ts';
import { decodeCursor } from '../../http/requests/cursor.ts';
import {
  dateRange,
  describedDate,
  parseDateParameter,
  parseDateRange,
  commaList,
  filterText,
  sortParameter,
} from '../../http/requests/query.ts';
import { flag, strictObject, id, stringEnum } from '../../http/routing/schemas.ts';

export const eventState = stringEnum(eventStates);

/** Filters that do not depend on time; the live stream takes them too. */
export const eventProperties = {
  webhookId: commaList(id),
  state: commaList(eventState),
  externalId: commaList(filterText),
  eventType: commaList(filterText),
  reason: commaList(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The whole reason, or the code before its colon.',
    }),
  ),
  mappingVersion: commaList(Type.Integer({ minimum: 1 })),
  contactId: commaList(id),
  phone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Of the contact of the event.' }),
  ),
  email: Type.Optional(
    Type.String({ minLength: 3, maxLength: 254, description: 'Of the contact of the event.' }),
  ),
  parentId: commaList(id),
  parents: flag('Includes the bodies that were split into items.'),
};

/** Admin/events/query-bounds.ts holds the rule. */
const needsBound =
  'Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, ' +
  '`search` and `state` without `done`.';

export const eventFilters = {
  ...eventProperties,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description:
        'An event id, contact id, phone number, email address or document; the beginning of an external id or of a name; ' +
        'or words of a message. At most 100 external ids, 100 names and the 200 newest messages are considered.',
    }),
  ),
  externalIdPrefix: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 500,
      description: 'Prefix of the external id; rejected if more than a hundred ids match.',
    }),
  ),
  ...dateRange,
  eventFrom: describedDate({ description: `The event date from the payload. ${needsBound}` }),
  eventTo: describedDate({ description: `The event date from the payload. ${needsBound}` }),
  state: commaList(eventState, { description: `With \`done\`: ${needsBound}` }),
  eventType: commaList(filterText, { description: needsBound }),
  mappingVersion: commaList(Type.Integer({ minimum: 1 }), { description: needsBound }),
};

const asked = strictObject(eventFilters);
type Asked = Static<typeof asked>;

export function parseEventFilter(query: Asked): EventQuery {
  const { from: _from, to: _to, eventFrom, eventTo, parents = false, search, ...traits } = query;
  const names = Object.keys(asked.properties);
  const given = Object.entries(traits).filter(
    ([name, value]) => names.includes(name) && value !== undefined,
  );
  return {
    ...Object.fromEntries(given),
    ...(search !== undefined && { search: search.trim() }),
    ...parseDateRange(query),
    eventFrom: parseDateParameter('eventFrom', eventFrom),
    eventTo: parseDateParameter('eventTo', eventTo, 'end'),
    parents,
  };
}

const fields = ['receivedAt', 'finishedAt', 'eventDate'] as const;
export const sortableFields: readonly string[] = fields;
export const eventOrder = sortParameter(sortableFields, {
  description: `A field, descending after a minus sign. Ties are broken by id. By \`finishedAt\` and \`eventDate\`: ${needsBound}`,
});

type Turn = { current_page?: number; per_page?: number; sort_by?: unknown; cursor?: string };

/** Returns the requested page: by its number, or after a cursor. Throws `invalid_query`. */
export function parseEventPaging(query: Turn) {
  const { current_page: number, per_page: limit = 10, cursor: given } = query;
  const sortBy = typeof query.sort_by === 'string' ? query.sort_by : '-receivedAt';
  if (given !== undefined && number !== undefined) {
    throw invalidQuery('current_page', 'field.not_with_cursor');
  }
  const cursor = given === undefined ? undefined : decodeCursor(given, sortBy);
  const field = fields.find((one) => one === sortBy.replace(/^-/, '')) ?? 'receivedAt';
  const order = { field, direction: sortBy.startsWith('-') ? -1 : 1 } as const;
  const skip = cursor ? 0 : ((number ?? 1) - 1) * limit;
  const page = { order, skip, limit, ...(cursor && { after: cursor }) };
  return { sortBy, page, number: cursor?.page ?? number ?? 1 };
}

/** Limits the filter to the webhooks of a restricted token, and the search by names and words to its channels. */
export const restrictToCaller = ({ restriction }: Caller, filter: EventQuery): EventQuery => {
  const webhookId = narrowIds(restriction?.webhookIds, filter.webhookId);
  return { ...filter, webhookId, channels: restriction?.channelIds };
};
