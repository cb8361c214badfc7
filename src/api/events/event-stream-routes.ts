/** /v1/admin/events/live and /v1/admin/events/export */
import { Type } from 'typebox';
import { cursorParameter, encodeCursor } from '../../http/requests/cursor.ts';
import type { InboundRequest } from '../../domain/events/event.ts';
import type { ApiContext } from '../context.ts';
import { exportEvents, readRequest, recordLiveAccess } from './event-export.ts';
import { resolveLiveQuery } from './event-search.ts';
import { eventSummary } from './event-view.ts';
import {
  eventFilters,
  eventOrder,
  eventProperties,
  parseEventFilter,
  parseEventPaging,
  restrictToCaller,
} from './event-query.ts';
import { streamRoute, type Route } from '../../http/routing/route.ts';
import {
  flag,
  anyValue,
  nullable,
  strictObject,
  stringMap,
  text,
  time,
} from '../../http/routing/schemas.ts';

const path = '/v1/admin/events';

const request = strictObject({
  contentType: text,
  headers: stringMap,
  query: stringMap,
  body: Type.String({ description: 'The bytes of the body in base64.' }),
});

const change = strictObject({
  at: time,
  event: Type.Optional(eventSummary.answer),
  request: Type.Optional(nullable(request)),
});

const line = strictObject({
  cursor: Type.String({ description: 'Pass it as `cursor` to continue after this line.' }),
  event: strictObject({ ...eventSummary.answer.properties, payload: Type.Optional(anyValue) }),
});

type LiveChange =
  Awaited<ReturnType<ApiContext['live']['watch']>> extends AsyncIterable<infer Item> ? Item : never;

type ReadRequest = (eventId: string) => Promise<InboundRequest | null>;

/** With `readRequest`, each event comes with its request. */
async function* changes(items: AsyncIterable<LiveChange>, readRequest: ReadRequest | null) {
  for await (const { data, ...item } of items) {
    const { at } = data;
    if (!('event' in data)) yield { ...item, data: { at } };
    else {
      const event = eventSummary.present(data.event);
      const shown = readRequest && { request: presentRequest(await readRequest(data.event._id)) };
      yield { ...item, data: { at, event, ...shown } };
    }
  }
}

const presentRequest = (stored: InboundRequest | null) => {
  if (!stored) return null;
  const { contentType, headers, query, body } = stored;
  return {
    contentType,
    headers: { ...headers },
    query: { ...query },
    body: body.toString('base64'),
  };
};

export const eventStreamRoutes = (ctx: ApiContext): Route[] => [
  streamRoute({
    path: `${path}/live`,
    scope: 'viewer',
    restriction: 'narrowed',
    stream: 'sse',
    operationId: 'watchEvents',
    tag: 'Events',
    summary:
      'Stream events as their state changes (`change`). `too_slow`: reconnect with the last id; ' +
      '`history_lost`: the changes since that id are not available',
    scopeOf: { request: 'operator' },
    query: strictObject({
      ...eventProperties,
      request: flag(
        'Includes the stored request of each event, unmasked; requires the scope `operator` and is recorded in the audit log.',
      ),
    }),
    answer: change,
    handle: async ({ query: { request: isShown = false, ...query }, ...call }) => {
      const { caller, signal, lastEventId } = call;
      const asked = restrictToCaller(caller, parseEventFilter(query));
      const filter = await resolveLiveQuery(ctx, asked);
      if (isShown) await recordLiveAccess(ctx, query, caller);
      const items = await ctx.live.watch(filter, { signal, lastEventId });
      return changes(items, isShown ? (id) => readRequest(ctx, id) : null);
    },
  }),
  streamRoute({
    path: `${path}/export`,
    scope: 'viewer',
    restriction: 'narrowed',
    stream: 'ndjson',
    fileName: 'events.ndjson',
    heavy: { kind: 'export' },
    operationId: 'exportEvents',
    tag: 'Events',
    summary: 'Export all events that match a search, one per line; credentials are masked',
    query: strictObject({
      ...eventFilters,
      sort_by: eventOrder,
      cursor: cursorParameter,
      payload: flag('Includes payloads; this is recorded in the audit log.'),
    }),
    needsBound: true,
    answer: line,
    handle: async ({ query, caller, signal }) => {
      const { sortBy, page } = parseEventPaging({ sort_by: 'receivedAt', ...query });
      const asked = restrictToCaller(caller, parseEventFilter(query));
      const options = { ...page, asked, payload: query.payload === true, signal };
      const found = await exportEvents(ctx, options, caller);
      return lines();

      async function* lines() {
        for await (const { event, position, ...rest } of found) {
          const cursor = encodeCursor({ sortBy, ...position, page: 1 });
          yield { cursor, event: { ...eventSummary.present(event), ...rest } };
        }
      }
    },
  }),
];
