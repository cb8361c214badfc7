/**
 * Events that are held while their webhook is paused, and their release, the oldest first.
 *
 * A held event is not `open`: no sweep reads it, however many there are. Every read uses the index `held`.
 */
import { statesBefore } from '../../domain/events/lifecycle.ts';
import { majorityRead, majorityWrite } from '../db/connection.ts';
import type { Events } from './collection.ts';
import { msFromNow } from '../db/expressions.ts';
import { stateChange } from './state-change.ts';
import { maxCounted, type BoundedCount } from '../event-queries/selection.ts';
import type { DueEvent } from './sweep.ts';

/** The delay before the sweep finds a released event. A hint normally arrives earlier. */
const firstLookMs = 15_000;

const held = { state: 'held' } as const;

/** Returns the ids of the webhooks that have held events. Reads one index key for each webhook. */
export const listHeldWebhooks = (events: Events) => (): Promise<string[]> =>
  events.distinct('webhookId', held, { ...majorityRead });

export const countHeld =
  (events: Events) =>
  async (webhookId: string): Promise<BoundedCount> => {
    const found = await events.countDocuments({ ...held, webhookId }, { limit: maxCounted + 1 });
    return { count: Math.min(found, maxCounted), exact: found <= maxCounted };
  };

/** Returns the ids of the oldest held events of a webhook. */
export function oldestHeld(events: Events) {
  return async function oldest(webhookId: string, limit: number): Promise<string[]> {
    const found = await events
      .find(
        { ...held, webhookId },
        { projection: { _id: 1 }, sort: { receivedAt: 1, _id: 1 }, limit, ...majorityRead },
      )
      .toArray();
    return found.map(({ _id }) => _id);
  };
}

/** Releases the events that are still held. Returns the events that are not yet claimed. */
export function releaseHeld(events: Events) {
  return async function free(ids: readonly string[]): Promise<DueEvent[]> {
    await events.updateMany(
      { _id: { $in: [...ids] }, state: statesBefore('resume') },
      [
        {
          $set: {
            ...stateChange('resume', 'received', 'resumed'),
            open: true,
            nextAt: msFromNow(firstLookMs),
            dueAt: '$$NOW',
            fence: { $add: ['$fence', 1] },
          },
        },
      ],
      majorityWrite,
    );
    const freed = await events
      .find(
        { _id: { $in: [...ids] }, state: 'received' },
        { projection: { webhookId: 1 }, ...majorityRead },
      )
      .toArray();
    return freed.map(({ _id, webhookId }) => ({ _id, webhookId, alone: false }));
  };
}

/** Returns whether any of the events is `received` or `processing`. An event that waits for a retry does not count. */
export const hasUnprocessed = (events: Events) => async (ids: readonly string[]) =>
  (await events.findOne(
    { _id: { $in: [...ids] }, state: { $in: ['received', 'processing'] } },
    { projection: { _id: 1 }, ...majorityRead },
  )) !== null;
