/**
 * Claiming: one conditional update counts the attempt before the work, takes a lease under a fresh token and raises
 * the fence, by the database's clock; one read by the token tells which events were won.
 */
import { claimableStates, type EventRecord } from '../../domain/event.ts';
import { maxAttempts, maxCrashesAlone } from '../../domain/outcome.ts';
import { decisive, durable } from '../connection.ts';
import type { Events } from './collection.ts';
import { inMs, isDue, noted } from './expressions.ts';

export type Claim = {
  readonly token: string;
  readonly leaseMs: number;
};

export type ClaimedEvent = EventRecord & { readonly claimToken: string };

/** Whoever had it last let the lease end: dead, stalled, or killed by this very event. */
const isExpired = { $eq: ['$state', 'processing'] };
const isAlone = { $eq: ['$alone', true] };

/** Why nothing more is tried; null while something may be. */
const verdict = {
  $cond: [
    { $gte: ['$crashes', maxCrashesAlone] },
    'crashed_worker',
    { $cond: [{ $gte: ['$attempts', maxAttempts] }, 'attempts_spent', null] },
  ],
};

const claimStages = ({ token, leaseMs }: Claim) => {
  const ifAlive = (value: unknown, otherwise: unknown) => ({
    $cond: [{ $eq: ['$verdict', null] }, value, otherwise],
  });
  const leaseEnd = ifAlive(inMs(leaseMs), null);
  const crashes = { $add: ['$crashes', { $cond: [{ $and: [isExpired, isAlone] }, 1, 0] }] };
  return [
    { $set: { crashes, alone: { $cond: [{ $or: [isExpired, isAlone] }, true, '$$REMOVE'] } } },
    { $set: { verdict } },
    {
      $set: {
        timeline: ifAlive(noted('processing', null), noted('dead', '$verdict')),
        state: ifAlive('processing', 'dead'),
        reason: '$verdict',
        attempts: { $add: ['$attempts', ifAlive(1, 0)] },
        fence: { $add: ['$fence', 1] },
        claimToken: token,
        dueAt: leaseEnd,
        nextAt: leaseEnd,
        finishedAt: ifAlive(null, '$$NOW'),
        open: ifAlive(true, '$$REMOVE'),
      },
    },
    { $unset: 'verdict' },
  ];
};

/** An event that may have ended its last worker is claimed only by itself, so that it takes nobody with it. */
const apart = { alone: { $ne: true }, state: { $in: ['received', 'waiting'] } } as const;
const anyhow = { state: { $in: [...claimableStates] } };

/**
 * Claims what is due of the given events and returns what was won, those for which this was the end included (state
 * `dead`). Of several, those that have to be alone are left out. After an error the token is looked up before giving up, because the update may have been applied.
 */
export function claimEvents(events: Events) {
  return async function claim(ids: readonly string[], terms: Claim): Promise<ClaimedEvent[]> {
    const won = () =>
      events
        .find({ _id: { $in: [...ids] }, claimToken: terms.token }, { ...decisive })
        .toArray() as Promise<ClaimedEvent[]>;
    try {
      const { matchedCount } = await events.updateMany(
        {
          _id: { $in: [...ids] },
          open: true,
          ...(ids.length > 1 ? apart : anyhow),
          $expr: isDue,
        },
        claimStages(terms),
        durable,
      );
      return matchedCount === 0 ? [] : await won();
    } catch (error) {
      const applied = await won();
      if (applied.length === 0) throw error;
      return applied;
    }
  };
}
