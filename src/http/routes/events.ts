/** /v1/admin/events */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentEvent } from '../../admin/events.ts';
import { eventStates, type EventState } from '../../domain/event.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, type Route } from '../route.ts';
import {
  anything,
  count,
  exactly,
  id,
  idParams,
  orNull,
  page,
  text,
  texts,
  time,
} from '../shapes.ts';

const path = '/v1/admin/events';
const state = Type.Unsafe<EventState>({ type: 'string', enum: [...eventStates] });

const fields = {
  id,
  webhookId: id,
  externalId: orNull(text),
  eventType: orNull(text),
  eventDate: orNull(time),
  state,
  reason: orNull(text),
  attempts: count,
  deliveries: count,
  mappingVersion: Type.Integer(),
  receivedAt: time,
  finishedAt: orNull(time),
  nextAt: orNull(time),
};
const event = exactly(fields);
const wholeEvent = exactly({
  ...fields,
  payload: anything,
  headers: texts,
  query: texts,
  timeline: Type.Array(exactly({ at: time, state, reason: orNull(text) })),
  effects: orNull(exactly({ contactId: id, chatId: id, messageId: id })),
  problems: Type.Array(exactly({ target: text, code: text, message: text })),
  parentId: orNull(id),
  items: orNull(count),
});

const sortable = {
  receivedAt: 'receivedAt',
  finishedAt: 'finishedAt',
  eventDate: 'eventDate',
};
const filters = {
  webhookId: several(id),
  state: several(state),
  externalId: several(word),
  eventType: several(word),
  reason: several(word),
  mappingVersion: several(Type.Integer({ minimum: 1 })),
  ...dates,
  parents: Type.Optional(
    Type.Boolean({ description: 'Also the bodies that were split, beside their items.' }),
  ),
};

export const eventRoutes = ({ events }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    summary: 'Search events',
    query: listQuery(Object.keys(sortable), filters),
    answer: page(event),
    handle: async ({ query }) => {
      const wanted = pageOf(query, sortable, '-receivedAt');
      const { webhookId, state: states, externalId, eventType, reason, mappingVersion } = query;
      const lists = { webhookId, state: states, externalId, eventType, reason, mappingVersion };
      const filter = { ...lists, ...rangeOf(query), parents: query.parents ?? false };
      return paged(await events.list(filter, wanted), wanted, presentEvent);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    summary: 'Read an event with its payload, timeline and effects; credentials are masked',
    params: idParams,
    answer: wholeEvent,
    handle: ({ params }) => events.read(params.id),
  }),
  route({
    method: 'POST',
    path: `${path}/:id/replay`,
    scope: 'operator',
    summary: 'Send a dead, ignored or discarded event through again; with remap also a done one',
    params: idParams,
    exists: (params) => events.get(params.id),
    body: exactly({
      remap: Type.Optional(
        Type.Boolean({ description: 'Takes done events too, and updates what they made.' }),
      ),
    }),
    action: true,
    answer: wholeEvent,
    handle: ({ params, body, caller }) =>
      events.replay(params.id, body.remap === true ? 'remap' : 'replay', caller),
  }),
  route({
    method: 'POST',
    path: `${path}/:id/discard`,
    scope: 'operator',
    summary: 'Give up an event that has not ended, or is dead',
    params: idParams,
    exists: (params) => events.get(params.id),
    body: exactly({}),
    action: true,
    answer: wholeEvent,
    handle: ({ params, caller }) => events.discard(params.id, caller),
  }),
];
