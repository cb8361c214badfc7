/**
 * Events that are held while their webhook is paused, and their release, the oldest first.
 *
 * A held event is not `open`: no sweep reads it, however many there are. Every read uses the index `held`.
 */
import { statesBefore } from '../../domain/events/lifecycle.ts';
import { exists, listIds, msFromNow } from '../db/queries.ts';
import { stateChange, type Events } from './state-change.ts';
import { maxCounted, type BoundedCount } from './selection.ts';
import type { DueEvent } from './sweep.ts';

/** The delay before the sweep finds a released event. A hint normally arrives earlier. */
const firstLookMs = 15_000;

const held = { state: 'held' } as const;

export const createHeldEvents = (events: Events) => ({
  /** Returns the ids of the webhooks that have held events. Reads one index key for each webhook. */
  listHeldWebhooks: (): Promise<string[]> => events.distinct('webhookId', held),

  countHeld: async (webhookId: string): Promise<BoundedCount> => {
    const found = await events.countDocuments({ ...held, webhookId }, { limit: maxCounted + 1 });
    return { count: Math.min(found, maxCounted), exact: found <= maxCounted };
  },

  oldestHeld: (webhookId: string, limit: number): Promise<string[]> =>
    listIds(events, { ...held, webhookId }, { sort: { _id: 1 }, limit }),

  /** Releases the events that are still held. Returns the events that are not yet claimed. */
  releaseHeld: async (ids: readonly string[]): Promise<DueEvent[]> => {
    await events.updateMany({ _id: { $in: [...ids] }, state: statesBefore('resume') }, [
      {
        $set: {
          ...stateChange('resume', 'received', 'resumed'),
          open: true,
          nextAt: msFromNow(firstLookMs),
          dueAt: '$$NOW',
          fence: { $add: ['$fence', 1] },
        },
      },
    ]);
    const freed = await events
      .find({ _id: { $in: [...ids] }, state: 'received' }, { projection: { webhookId: 1 } })
      .toArray();
    return freed.map(({ _id, webhookId }) => ({ _id, webhookId, alone: false }));
  },

  /** Returns whether any of the events had no attempt yet. An event that waits for a retry does not count. */
  hasUnprocessed: (ids: readonly string[]) =>
    exists(events, { _id: { $in: [...ids] }, state: 'received' }),
});
