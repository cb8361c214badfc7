/** Events that were held while their webhook was paused: which webhooks have some, and letting them through. */
import { decisive, durable } from '../connection.ts';
import type { Events } from './collection.ts';
import { inMs, noted } from './expressions.ts';
import type { DueEvent } from './sweep.ts';

const lookAgainMs = 60_000;
const isLookedAt = { $lte: ['$nextAt', '$$NOW'] };

/** The webhooks that have held events due for a look. */
export function pushHeld(events: Events) {
  return async function push(isPaused: (ids: string[]) => Promise<Set<string>>): Promise<string[]> {
    const due = { open: true, state: 'held', $expr: isLookedAt } as const;
    const webhookIds = (await events.distinct('webhookId', due)) as string[];
    if (webhookIds.length === 0) return [];
    const paused = await isPaused(webhookIds);
    if (paused.size > 0) {
      await events.updateMany(
        { ...due, webhookId: { $in: [...paused] } },
        [{ $set: { nextAt: inMs(lookAgainMs) } }],
        durable,
      );
    }
    return webhookIds.filter((id) => !paused.has(id));
  };
}

/** Frees at most `limit` held events of a webhook, oldest first, and returns them. */
export function freeHeld(events: Events) {
  return async function free(webhookId: string, limit: number): Promise<DueEvent[]> {
    const held = await events
      .find(
        { webhookId, state: 'held' },
        { projection: { webhookId: 1 }, sort: { receivedAt: 1 }, limit, ...decisive },
      )
      .toArray();
    if (held.length === 0) return [];
    await events.updateMany(
      { _id: { $in: held.map(({ _id }) => _id) }, state: 'held' },
      [
        {
          $set: {
            state: 'received',
            nextAt: inMs(lookAgainMs),
            dueAt: null,
            fence: { $add: ['$fence', 1] },
            timeline: noted('received', 'resumed'),
          },
        },
      ],
      durable,
    );
    return held.map(({ _id }) => ({ _id, webhookId, alone: false }));
  };
}
