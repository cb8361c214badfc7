/** Sending events through again: one that ended without effects, and those that were held while a webhook was paused. */
import { AppError } from '../base/errors.ts';
import type { EventRecord } from '../domain/event.ts';
import type { Webhook } from '../domain/webhook.ts';
import { hintAll, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';

export type ReplayDeps = {
  readonly events: Pick<EventStore, 'get' | 'hasItems' | 'replay' | 'freeHeld'>;
  readonly webhooks: { get(id: string): Promise<Webhook | null> };
  readonly queue: Pick<EventQueue, 'hint'>;
};

/** Freed at once when a webhook is resumed; the sweeper frees the rest, as many a tick as it may. */
const maxFreedAtOnce = 500;

export type Recovery = ReturnType<typeof createRecovery>;

export function createRecovery({ events, webhooks, queue }: ReplayDeps) {
  /** By the mapping of today, except that a body which was split in part is split on as it was begun. */
  async function versionFor(event: EventRecord, webhook: Webhook | null): Promise<number> {
    if (event.parentId === null && (await events.hasItems(event._id))) return event.mappingVersion;
    return webhook?.activeVersion ?? event.mappingVersion;
  }

  return {
    /** Takes dead, ignored and discarded events. Throws `not_found` or, with the state, `invalid_transition`. */
    replayEvent: async (eventId: string): Promise<EventRecord> => {
      const event = await events.get(eventId);
      if (!event) throw new AppError('not_found');
      const webhook = await webhooks.get(event.webhookId);
      const replayed = await events.replay({
        eventId,
        channelId: webhook?.channelId ?? event.channelId,
        mappingVersion: await versionFor(event, webhook),
        state: webhook?.status === 'paused' ? 'held' : 'received',
      });
      if (!replayed) {
        const state = (await events.get(eventId))?.state ?? event.state;
        throw new AppError('invalid_transition', { details: { state } });
      }
      if (replayed.state === 'received') hintAll(queue, [replayed]);
      return replayed;
    },

    /** Lets the first held events of a resumed webhook through without waiting for the sweeper. */
    freeHeld: async (webhookId: string): Promise<void> => {
      hintAll(queue, await events.freeHeld(webhookId, maxFreedAtOnce));
    },
  };
}
