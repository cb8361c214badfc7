/** How events are shown: in short by lists, exports and the live stream; in whole when one is read. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { EventView } from '../../admin/events/events.ts';
import {
  attemptOutcomes,
  attemptsOf,
  type Attempt,
  type AttemptOutcome,
} from '../../domain/events/attempts.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { resource } from '../routing/resource.ts';
import {
  anyValue,
  count,
  id,
  nullable,
  strictObject,
  stringMap,
  text,
  time,
} from '../routing/schemas.ts';
import { createView, fieldOf, isoDate } from '../routing/view.ts';
import { eventState } from './event-query.ts';

const field = fieldOf<EventRecord>();
export const eventSummary = createView({
  id: field(id, ({ _id }) => _id),
  webhookId: field(id, ({ webhookId }) => webhookId),
  test: field(
    Type.Boolean({ description: 'Whether it is a test event.' }),
    ({ test }) => test !== undefined,
  ),
  externalId: field(nullable(text), ({ externalId }) => externalId),
  eventType: field(nullable(text), ({ eventType }) => eventType),
  eventDate: field(nullable(time), ({ eventDate }) => isoDate(eventDate)),
  state: field(eventState, ({ state }) => state),
  reason: field(nullable(text), ({ reason }) => reason),
  attempts: field(count, ({ attempts }) => attempts),
  deliveries: field(count, ({ deliveries }) => deliveries),
  mappingVersion: field(Type.Integer(), ({ mappingVersion }) => mappingVersion),
  receivedAt: field(time, ({ receivedAt }) => receivedAt.toISOString()),
  finishedAt: field(nullable(time), ({ finishedAt }) => isoDate(finishedAt)),
  nextAt: field(nullable(time), ({ dueAt }) => isoDate(dueAt)),
});

const worker = Type.String({ description: 'The process that made the attempt: host and number.' });
const outcome = Type.Unsafe<AttemptOutcome>({
  type: 'string',
  enum: [...attemptOutcomes],
  description: '`lost`: the worker reported no result. `null`: in progress.',
});
const attemptField = fieldOf<Attempt>();
const attempt = createView({
  startedAt: attemptField(time, ({ startedAt }) => startedAt.toISOString()),
  worker: attemptField(nullable(worker), (shown) => shown.worker),
  endedAt: attemptField(nullable(time), ({ endedAt }) => isoDate(endedAt)),
  durationMs: attemptField(
    nullable(count),
    ({ startedAt, endedAt }) => endedAt && endedAt.getTime() - startedAt.getTime(),
  ),
  outcome: attemptField(nullable(outcome), (shown) => shown.outcome),
  reason: attemptField(nullable(text), ({ reason }) => reason),
  retryAt: attemptField(nullable(time), ({ retryAt }) => isoDate(retryAt)),
});

const transition = strictObject({ at: time, state: eventState, reason: nullable(text) });
const wholeEvent = strictObject({
  ...eventSummary.answer.properties,
  payload: anyValue,
  headers: stringMap,
  query: stringMap,
  timeline: Type.Array(transition, {
    description: 'At most 100 changes; of more, the first 20 and the last 80.',
  }),
  attemptHistory: Type.Array(attempt.answer),
  effects: nullable(strictObject({ contactId: id, chatId: id, messageId: id })),
  problems: Type.Array(strictObject({ target: text, code: text, message: text })),
  parentId: nullable(id),
  items: nullable(count),
});

const presentEvent = ({ event, content }: EventView): Static<typeof wholeEvent> => ({
  ...eventSummary.present(event),
  ...content,
  timeline: event.timeline.map(({ at, state, reason }) => ({
    at: at.toISOString(),
    state,
    reason,
  })),
  attemptHistory: attemptsOf(event).map(attempt.present),
  effects: event.effects && {
    contactId: event.effects.contactId,
    chatId: event.effects.chatId,
    messageId: event.effects.messageId,
  },
  problems: event.problems.map(({ target, code, message }) => ({ target, code, message })),
  parentId: event.parentId,
  items: event.items,
});

export const event = resource({ answer: wholeEvent, present: presentEvent });
