/** Events: read, reveal, replay and discard. */
import { AppError } from '../../base/errors.ts';
import { attemptsOf, type Attempt } from '../../domain/events/attempts.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { maskContent, readContent, type EventContent } from '../payloads/event-content.ts';
import type { AdminDeps } from '../dependencies.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const presentEvent = (event: EventRecord) => ({
  id: event._id,
  webhookId: event.webhookId,
  test: event.test !== undefined,
  externalId: event.externalId,
  eventType: event.eventType,
  eventDate: iso(event.eventDate),
  state: event.state,
  reason: event.reason,
  attempts: event.attempts,
  deliveries: event.deliveries,
  mappingVersion: event.mappingVersion,
  receivedAt: event.receivedAt.toISOString(),
  finishedAt: iso(event.finishedAt),
  nextAt: iso(event.dueAt),
});

const presentAttempt = (attempt: Attempt) => {
  const { startedAt, endedAt } = attempt;
  return {
    startedAt: startedAt.toISOString(),
    worker: attempt.worker,
    endedAt: iso(endedAt),
    durationMs: endedAt && endedAt.getTime() - startedAt.getTime(),
    outcome: attempt.outcome,
    reason: attempt.reason,
    retryAt: iso(attempt.retryAt),
  };
};

const presentWhole = (event: EventRecord, shown: EventContent) => ({
  ...presentEvent(event),
  ...shown,
  timeline: event.timeline.map(({ at, state, reason }) => ({
    at: at.toISOString(),
    state,
    reason,
  })),
  attemptHistory: attemptsOf(event).map(presentAttempt),
  effects: event.effects && {
    contactId: event.effects.contactId,
    chatId: event.effects.chatId,
    messageId: event.effects.messageId,
  },
  problems: event.problems.map(({ target, code, message }) => ({ target, code, message })),
  parentId: event.parentId,
  items: event.items,
});

export type WholeEvent = ReturnType<typeof presentWhole>;

type EventDeps = Pick<AdminDeps, 'events' | 'webhooks' | 'bodies' | 'replayEvent' | 'discardEvent'>;

export function createEvents(deps: EventDeps) {
  const { events, replayEvent, discardEvent } = deps;

  async function get(id: string): Promise<EventRecord> {
    const event = await events.get(id);
    if (!event) throw new AppError('not_found');
    return event;
  }

  const shownOf = async (event: EventRecord) => maskContent(await readContent(deps, event));
  const whole = async (event: EventRecord) => presentWhole(event, await shownOf(event));

  /**
   * The precondition refers to the presented event. Its content is read before the transaction, because it
   * needs more than the record.
   */
  async function expecting(id: string, actor: Actor): Promise<Actor> {
    const { checkPrecondition } = actor;
    if (!checkPrecondition) return actor;
    const shown = await shownOf(await get(id));
    return {
      ...actor,
      checkPrecondition: (record) => checkPrecondition(presentWhole(record as EventRecord, shown)),
    };
  }

  return {
    get,
    read: async (id: string): Promise<WholeEvent> => whole(await get(id)),

    /** Returns the event with credentials unmasked. The audit log records the access first. */
    async reveal(id: string, actor: Actor): Promise<WholeEvent> {
      const event = await get(id);
      const shown = await readContent(deps, event);
      await events.recordReveal(id, actor);
      return presentWhole(event, shown);
    },

    replay: async (id: string, change: 'replay' | 'remap', actor: Actor): Promise<WholeEvent> =>
      whole(await replayEvent(id, change, await expecting(id, actor))),

    discard: async (id: string, actor: Actor): Promise<WholeEvent> =>
      whole(await discardEvent(id, await expecting(id, actor))),
  };
}
