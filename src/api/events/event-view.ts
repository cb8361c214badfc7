/** How events are shown: in short by lists, exports and the live stream; in whole when one is read. */
import { Type } from 'typebox';
import type { EventView } from './events.ts';
import {
  attemptOutcomes,
  attemptsOf,
  fullTimeline,
  type Attempt,
} from '../../domain/events/attempts.ts';
import { effectIdsOf, type EventProblem, type EventRecord } from '../../domain/events/event.ts';
import { resource } from '../../http/routing/resource.ts';
import {
  anyValue,
  count,
  id,
  mappingProblems,
  nullable,
  strictObject,
  stringMap,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { eventState } from './event-query.ts';
import { renderText, isKnownText, type Language } from '../../base/texts/texts.ts';

/** The message of a text that only a later release knows is shown in English. */
export const showProblems = (problems: readonly EventProblem[], language: Language) =>
  problems.map(({ target, code, message, text: stored }) => ({
    target,
    code,
    message: stored && isKnownText(stored) ? renderText(stored, language) : message,
  }));

const { field, view } = viewsOf<EventRecord>();
export const eventSummary = view({
  id,
  webhookId: id,
  test: field(
    Type.Boolean({ description: 'Whether it is a test event.' }),
    ({ test }) => test !== undefined,
  ),
  externalId: nullable(text),
  eventType: nullable(text),
  eventDate: nullable(time),
  state: eventState,
  reason: nullable(text),
  attempts: count,
  deliveries: count,
  mappingVersion: Type.Integer(),
  receivedAt: time,
  finishedAt: nullable(time),
  nextAt: field(nullable(time), ({ dueAt }) => dueAt ?? null),
});

const worker = Type.String({ description: 'The process that made the attempt: host and number.' });
const outcome = stringEnum(attemptOutcomes, {
  description: '`lost`: the worker reported no outcome. `null`: in progress.',
});
const { field: attemptField, view: attemptView } = viewsOf<Attempt>();
const attempt = attemptView({
  startedAt: time,
  worker: nullable(worker),
  endedAt: nullable(time),
  durationMs: attemptField(
    nullable(count),
    // The clock of the worker, and that of the database.
    ({ startedAt, endedAt }) => endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime()),
  ),
  outcome: nullable(outcome),
  reason: nullable(text),
  retryAt: nullable(time),
});

export const effectIds = nullable(strictObject({ contactId: id, chatId: id, messageId: id }));

const details = view({
  timeline: field(
    Type.Array(strictObject({ at: time, state: eventState, reason: nullable(text) }), {
      description:
        'The changes of state, with the begin of each attempt. Of more than 100 changes, the first 20 and the last 80.',
    }),
    (record) => fullTimeline(record).map(({ at, state, reason }) => ({ at, state, reason })),
  ),
  attemptHistory: field(Type.Array(attempt.answer), (record) =>
    attemptsOf(record).map((one) => attempt.present(one)),
  ),
  effects: field(effectIds, effectIdsOf),
  problems: field(mappingProblems, ({ problems }, language) => showProblems(problems, language)),
  parentId: nullable(id),
  items: nullable(count),
});

export const event = resource({
  answer: strictObject({
    ...eventSummary.answer.properties,
    payload: anyValue,
    headers: stringMap,
    query: stringMap,
    ...details.answer.properties,
  }),
  present: (shown: EventView, language) => ({
    ...eventSummary.present(shown.event),
    ...shown.content,
    ...details.present(shown.event, language),
  }),
});
