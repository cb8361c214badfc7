/** /v1/admin/events */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ValueChange } from '../../domain/events/json-diff.ts';
import { webhookOf } from '../../http/auth/authorization.ts';
import { contact } from '../people/contact-view.ts';
import { cursorParameter, encodeCursor } from '../../http/requests/cursor.ts';
import type { ApiContext } from '../context.ts';
import { searchEvents } from './event-search.ts';
import {
  discardEvent,
  listResends,
  readEvent,
  replayEvent,
  revealEvent,
  summarizeEffects,
  type EffectSummary,
} from './events.ts';
import { event, eventSummary } from './event-view.ts';
import {
  eventFilters,
  eventOrder,
  parseEventFilter,
  sortableFields,
  parseEventPaging,
  restrictToCaller,
} from './event-query.ts';
import { listQuery, pagings, presentPage } from '../../http/requests/query.ts';
import { listRoute, recordRoutes, resourceRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  flag,
  anyValue,
  strictObject,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';

const path = '/v1/admin/events';

const eventPage = strictObject({
  pagings: strictObject({
    ...pagings.properties,
    next_cursor: nullable(
      Type.String({
        description: 'Pass it as `cursor` to read the next page; null on the last page.',
      }),
    ),
  }),
  results: Type.Array(eventSummary.answer),
});

const change = strictObject({
  path: Type.String({ description: 'A JSON pointer.' }),
  kind: stringEnum<ValueChange['kind']>(['added', 'removed', 'changed']),
  before: anyValue,
  after: anyValue,
});
const delivery = strictObject({
  number: Type.Integer({ minimum: 1, description: '1 for the first delivery.' }),
  at: time,
  bodySha256: text,
  sameBody: Type.Boolean({ description: 'Whether the body equals the current body of the event.' }),
  revived: Type.Boolean({
    description: 'Whether it revived a dead or ignored event and replaced its body.',
  }),
  changes: Type.Union([Type.Array(change), Type.Null()], {
    description:
      'The first 200 changes from the event’s body to this one. Null if the bodies are equal or no copy is kept. ' +
      'Copies are kept of the last five differing bodies of at most 256 KiB.',
  }),
});

const maxSummaries = 100;
const { field, view } = viewsOf<EffectSummary>();
const effectSummary = view({
  eventId: id,
  contact: field(
    nullable(
      strictObject({ id, name: nullable(text), phone: nullable(text), email: nullable(text) }),
    ),
    ({ contact: record }) => {
      if (!record) return null;
      const { id: contactId, name, phone, email } = contact.present(record);
      return { id: contactId, name, phone, email };
    },
  ),
  message: nullable(Type.String({ description: 'The first 200 characters.' })),
});

const effectsRoute = (ctx: ApiContext): Route =>
  route({
    method: 'GET',
    path: `${path}/effects`,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listEventsEffects',
    tag: 'Events',
    schemaName: 'EventsEffect',
    summary: 'List the contacts and the message texts of events; events without effects are absent',
    query: strictObject({
      eventId: Type.Array(id, { minItems: 1, maxItems: maxSummaries }),
    }),
    answer: strictObject({ results: Type.Array(effectSummary.answer) }),
    handle: async ({ query, caller }) => {
      const found = await summarizeEffects(ctx, query.eventId, caller);
      return { results: found.map((one) => effectSummary.present(one)) };
    },
  });

const readingRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    heavy: { kind: 'search', when: ['search'] },
    operationId: 'listEvents',
    tag: 'Events',
    schemaName: 'EventSummary',
    summary: 'Search events, newest first',
    query: listQuery(sortableFields, {
      cursor: cursorParameter,
      ...eventFilters,
      sort_by: eventOrder,
    }),
    needsBound: true,
    answer: eventPage,
    handle: async ({ query, caller }) => {
      const { sortBy, page: wanted, number } = parseEventPaging(query);
      const asked = restrictToCaller(caller, parseEventFilter(query));
      const found = await searchEvents(ctx, asked, wanted);
      const { total, isExact, next } = found;
      const counted = { total, isExact };
      const next_cursor = next && encodeCursor({ sortBy, ...next, page: number + 1, counted });
      const { limit } = wanted;
      const page = presentPage(found, { skip: (number - 1) * limit, limit }, (one) =>
        eventSummary.present(one),
      );
      return { ...page, pagings: { ...page.pagings, next_cursor } };
    },
  }),
  resourceRoute(event, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: webhookOf(ctx.events.get),
    operationId: 'getEvent',
    tag: 'Events',
    schemaName: 'Event',
    summary: 'Read an event with its payload, timeline and effects; credentials are masked',
    scopeOf: { reveal: 'operator' },
    params: idParams,
    query: strictObject({
      reveal: flag(
        'Shows credentials unmasked; requires the scope `operator` and is recorded in the audit log.',
      ),
    }),
    handle: ({ params, query, caller }) => {
      if (query.reveal !== true) return readEvent(ctx, params.id);
      return revealEvent(ctx, params.id, caller);
    },
  }),
  listRoute(
    { answer: delivery, present: (one: Static<typeof delivery>) => one },
    {
      path: `${path}/:id/deliveries`,
      scope: 'viewer',
      restriction: webhookOf(ctx.events.get),
      operationId: 'listEventDeliveries',
      tag: 'Deliveries',
      schemaName: 'EventDelivery',
      summary:
        'List the deliveries of an event and how their bodies differ; the first and the last 50 are kept',
      params: idParams,
      sortable: { number: 'number' },
      sortBy: '-number',
      list: async ({ params }, { sort, skip, limit }) => {
        const all = await listResends(ctx, params.id);
        const inOrder = sort.number === 1 ? all.toReversed() : all;
        return { results: inOrder.slice(skip, skip + limit), total: all.length };
      },
    },
  ),
];

function changingRoutes(ctx: ApiContext): Route[] {
  const one = recordRoutes(event, {
    path: `${path}/:id`,
    params: idParams,
    restriction: webhookOf(ctx.events.get),
    find: (params) => readEvent(ctx, params.id),
  });
  return [
    one.act('replay', {
      scope: 'operator',
      operationId: 'replayEvent',
      tag: 'Events',
      summary: 'Replay a dead, ignored or discarded event; with `remap` also a done one',
      body: strictObject({
        remap: flag('Also accepts done events and updates their effects.'),
      }),
      handle: ({ params, body, caller }) =>
        replayEvent(ctx, { ...params, change: body.remap === true ? 'remap' : 'replay' }, caller),
    }),
    one.act('discard', {
      scope: 'operator',
      operationId: 'discardEvent',
      tag: 'Events',
      summary: 'Discard an event that has not ended or is dead',
      handle: ({ params, caller }) => discardEvent(ctx, params.id, caller),
    }),
  ];
}

export const eventRoutes = (ctx: ApiContext): Route[] => [
  effectsRoute(ctx),
  ...readingRoutes(ctx),
  ...changingRoutes(ctx),
];
