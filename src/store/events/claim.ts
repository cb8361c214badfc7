/**
 * Claims: one conditional update counts the attempt before the work, takes a lease with a new token and raises the fence, by
 * the database's clock. One read by the token returns the claimed events.
 *
 * Promises: a claimed event is processed, or released with its attempt as soon as the database answers. Only the holder of the
 * token renews a lease or releases a claim.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import { statesBefore, type StateAfter } from '../../domain/events/lifecycle.ts';
import { maxIsolatedCrashes } from '../../domain/events/outcome.ts';
import { defaultMaxAttempts } from '../../domain/webhooks/retries.ts';
import { majorityRead, majorityWrite } from '../db/connection.ts';
import type { Events } from './collection.ts';
import { msFromNow, literal } from '../db/expressions.ts';
import { isDue, stateChange, timelineWith } from './state-change.ts';

export type Claim = {
  readonly token: string;
  readonly leaseMs: number;
  /** The process that claims, for people. */
  readonly worker?: string;
  /** Nothing else is in hand in the process that claims. */
  readonly alone?: boolean;
};

export type ClaimedEvent = EventRecord & { readonly claimToken: string };

/** The last worker let the lease expire: it crashed, stalled, or was killed by this event. */
const isExpired = { $eq: ['$state', 'processing'] };
const isAlone = { $eq: ['$alone', true] };

const attemptsLimit = { $ifNull: ['$maxAttempts', defaultMaxAttempts] };

/** Why nothing more is tried; null while something may be. */
const verdict = {
  $cond: [
    { $gte: ['$crashes', maxIsolatedCrashes] },
    'crashed_worker',
    { $cond: [{ $gte: ['$attempts', attemptsLimit] }, 'attempts_spent', null] },
  ],
};

const states: Readonly<Record<'alive' | 'spent', StateAfter<'claim'>>> = {
  alive: 'processing',
  spent: 'dead',
};

const claimStages = ({ token, leaseMs, worker }: Omit<Claim, 'alone'>) => {
  const ifAlive = (value: unknown, otherwise: unknown) => ({
    $cond: [{ $eq: ['$verdict', null] }, value, otherwise],
  });
  const claimer = worker === undefined ? {} : { worker: literal(worker) };
  const leaseEnd = ifAlive(msFromNow(leaseMs), null);
  const crashes = { $add: ['$crashes', { $cond: [{ $and: [isExpired, isAlone] }, 1, 0] }] };
  return [
    { $set: { crashes, alone: { $cond: [{ $or: [isExpired, isAlone] }, true, '$$REMOVE'] } } },
    { $set: { verdict } },
    {
      $set: {
        timeline: ifAlive(
          timelineWith(states.alive, null, claimer),
          timelineWith(states.spent, '$verdict'),
        ),
        state: ifAlive(states.alive, states.spent),
        reason: '$verdict',
        attempts: { $add: ['$attempts', ifAlive(1, 0)] },
        fence: { $add: ['$fence', 1] },
        claimToken: token,
        dueAt: leaseEnd,
        nextAt: leaseEnd,
        // A worker was reached: the next look that is needed comes as soon as the first one did.
        sweeps: 0,
        finishedAt: ifAlive(null, '$$NOW'),
        open: ifAlive(true, '$$REMOVE'),
        alone: ifAlive('$alone', '$$REMOVE'),
      },
    },
    { $unset: 'verdict' },
  ];
};

/** An event that may have ended its last worker is claimed alone, so that it cannot harm other events. */
const claimable = (alone: boolean) => {
  const { $in } = statesBefore('claim');
  if (alone) return { state: { $in } };
  return {
    state: { $in: $in.filter((state) => state !== 'processing') },
    alone: { $ne: true },
  } as const;
};

const wonBy = (events: Events, ids: readonly string[], token: string) =>
  events
    .find({ _id: { $in: [...ids] }, claimToken: token }, { ...majorityRead })
    .toArray() as Promise<ClaimedEvent[]>;

/**
 * Claims what is due of the given events and returns what was won, those for which this was the end included (state
 * `dead`). Those that have to be alone are left out unless the claim is. After an error the token is looked up before giving
 * up, because the update may have been applied, wholly or in part; what then is not found is released.
 */
export function claimEvents(events: Events) {
  const release = releaseEvents(events);

  async function take(ids: readonly string[], terms: Claim): Promise<number> {
    const due = { _id: { $in: [...ids] }, open: true, $expr: isDue } as const;
    const where = { ...due, ...claimable(terms.alone === true) };
    return (await events.updateMany(where, claimStages(terms), majorityWrite)).matchedCount;
  }

  return async function claim(ids: readonly string[], terms: Claim): Promise<ClaimedEvent[]> {
    let failure: unknown = null;
    const matched = await take(ids, terms).catch((error: unknown) => {
      failure = error;
      return ids.length;
    });
    if (matched === 0) return [];
    const won = await wonBy(events, ids, terms.token);
    if (won.length < matched) {
      const mine = new Set(won.map(({ _id }) => _id));
      await release(
        terms.token,
        ids.filter((id) => !mine.has(id)),
      );
    }
    if (won.length === 0 && failure !== null) throw failure;
    return won;
  };
}

/** Gives back what the token still has, due at once and without the attempt. */
export function releaseEvents(events: Events) {
  return async function release(token: string, ids: readonly string[]): Promise<void> {
    await events.updateMany(
      { _id: { $in: [...ids] }, claimToken: token, state: statesBefore('release') },
      [
        {
          $set: {
            ...stateChange('release', 'received', 'released'),
            reason: null,
            attempts: { $subtract: ['$attempts', 1] },
            dueAt: null,
            nextAt: '$$NOW',
          },
        },
        { $unset: 'claimToken' },
      ],
      majorityWrite,
    );
  };
}

/** Renews the lease of each event. Returns the ids of the events that the claim has lost. */
export function renewLeases(events: Events) {
  return async function renew(
    claimed: readonly Pick<ClaimedEvent, '_id' | 'fence' | 'claimToken'>[],
    leaseMs: number,
  ): Promise<ReadonlySet<string>> {
    const mine = {
      $or: claimed.map(({ _id, fence, claimToken }) => ({ _id, fence, claimToken })),
      state: statesBefore('finish'),
    };
    const { matchedCount } = await events.updateMany(
      mine,
      [{ $set: { dueAt: msFromNow(leaseMs), nextAt: msFromNow(leaseMs) } }],
      majorityWrite,
    );
    if (matchedCount === claimed.length) return new Set();
    const held = await events.find(mine, { projection: { _id: 1 }, ...majorityRead }).toArray();
    const ids = new Set(held.map(({ _id }) => _id));
    return new Set(claimed.flatMap(({ _id }) => (ids.has(_id) ? [] : [_id])));
  };
}
