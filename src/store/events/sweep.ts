/** What the sweeper needs: events whose time has come, pushed on before anybody is told of them. */
import { claimableStates } from '../../domain/event.ts';
import { decisive, durable } from '../connection.ts';
import type { Events } from './collection.ts';
import { inMs } from './expressions.ts';

const firstPushMs = 60_000;
const maxPushMs = 600_000;

const nextLook = {
  $min: [maxPushMs, { $multiply: [firstPushMs, { $pow: [2, '$sweeps'] }] }],
};
const isLookedAt = { $lte: ['$nextAt', '$$NOW'] };

export type DueEvent = {
  readonly _id: string;
  readonly webhookId: string;
  /** It may have ended the worker that had it: nothing else goes with it. */
  readonly alone: boolean;
};

/** Returns at most `limit` events that are due for a look, each pushed on, so that no one else looks at once. */
export function pushDue(events: Events) {
  return async function push(limit: number): Promise<DueEvent[]> {
    const due = await events
      .find(
        { open: true, state: { $in: [...claimableStates] }, $expr: isLookedAt },
        {
          projection: { webhookId: 1, state: 1, alone: 1 },
          sort: { nextAt: 1 },
          limit,
          ...decisive,
        },
      )
      .toArray();
    if (due.length === 0) return [];
    const { matchedCount } = await events.updateMany(
      { _id: { $in: due.map(({ _id }) => _id) }, open: true, $expr: isLookedAt },
      [{ $set: { nextAt: inMs(nextLook), sweeps: { $add: ['$sweeps', 1] } } }],
      durable,
    );
    if (matchedCount === 0) return [];
    return due.map(({ _id, webhookId, state, alone }) => ({
      _id,
      webhookId,
      alone: alone === true || state === 'processing',
    }));
  };
}
