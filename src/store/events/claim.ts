/**
 * Claiming: one conditional update counts the attempt before the work, takes a lease under a fresh token and raises
 * the fence, by the database's clock; one read by the token tells which events were won.
 */
import { claimableStates, type EventRecord } from '../../domain/event.ts';
import { maxAttempts } from '../../domain/outcome.ts';
import { decisive, durable } from '../connection.ts';
import type { Events } from './collection.ts';
import { inMs, isDue, noted } from './expressions.ts';

export type Claim = {
  readonly token: string;
  readonly leaseMs: number;
};

export type ClaimedEvent = EventRecord & { readonly claimToken: string };

/** The lease that follows the last attempt has ended: nothing more will come of this event by itself. */
const isSpent = { $gte: ['$attempts', maxAttempts] };

const claimStages = ({ token, leaseMs }: Claim) => {
  const unlessSpent = (value: unknown, spent: unknown) => ({ $cond: ['$spent', spent, value] });
  const leaseEnd = unlessSpent(inMs(leaseMs), null);
  return [
    { $set: { spent: isSpent } },
    {
      $set: {
        timeline: unlessSpent(noted('processing', null), noted('dead', 'attempts_spent')),
        state: unlessSpent('processing', 'dead'),
        reason: unlessSpent(null, 'attempts_spent'),
        attempts: { $add: ['$attempts', unlessSpent(1, 0)] },
        fence: { $add: ['$fence', 1] },
        claimToken: token,
        dueAt: leaseEnd,
        nextAt: leaseEnd,
        finishedAt: unlessSpent(null, '$$NOW'),
        open: unlessSpent(true, '$$REMOVE'),
      },
    },
    { $unset: 'spent' },
  ];
};

/**
 * Claims what is due of the given events and returns what was won, those that died of spent attempts included
 * (state `dead`). After an error the token is looked up before giving up, because the update may have been applied.
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
          state: { $in: [...claimableStates] },
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

/** Gives claimed events back unworked: due at once, the attempt not counted. */
export function releaseEvents(events: Events) {
  return async function release(claimed: readonly ClaimedEvent[], token: string): Promise<void> {
    await events.updateMany(
      { _id: { $in: claimed.map(({ _id }) => _id) }, claimToken: token, state: 'processing' },
      [
        {
          $set: {
            state: 'received',
            attempts: { $subtract: ['$attempts', 1] },
            dueAt: null,
            nextAt: '$$NOW',
            timeline: noted('received', 'released'),
          },
        },
        { $unset: 'claimToken' },
      ],
      durable,
    );
  };
}
