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
import { idIndex, listIds, literal, msFromNow, readable } from '../db/queries.ts';
import { isDue, stateChange, timelineWith, type Events } from './state-change.ts';

export type Claim = {
  readonly token: string;
  readonly leaseMs: number;
  /** The name of the claiming process. The timeline shows it. */
  readonly worker?: string;
  /** The claiming process has no other event in flight. Only such a claim takes isolated events. */
  readonly alone?: boolean;
};

export type ClaimedEvent = EventRecord & { readonly claimToken: string };

/** A due event is `processing` only when its lease has expired: the worker crashed or stalled, perhaps due to this event. */
const isExpired = { $eq: ['$state', 'processing'] };
const isAlone = { $eq: ['$alone', true] };

const attemptsLimit = { $ifNull: ['$maxAttempts', defaultMaxAttempts] };

/** The reason for which the event becomes dead, or null when another attempt is allowed. */
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
        // The claim resets the backoff of the sweep.
        sweeps: 0,
        finishedAt: ifAlive(null, '$$NOW'),
        open: ifAlive(true, '$$REMOVE'),
        alone: ifAlive('$alone', '$$REMOVE'),
      },
    },
    { $unset: 'verdict' },
  ];
};

/** An event that may have crashed its last worker is claimed alone, so that a second crash affects no other event. */
const claimable = (alone: boolean) => {
  const { $in } = statesBefore('claim');
  if (alone) return { state: { $in } };
  return {
    state: { $in: $in.filter((state) => state !== 'processing') },
    alone: { $ne: true },
  } as const;
};

/**
 * Claims the due events among `ids` and returns the claimed ones, including events that the claim made `dead`. A claim that
 * is not `alone` skips events that must be processed alone. After a failed update, the events are looked up by the token,
 * because the update may have been applied in part. Events that this read does not find are released. Rejects with the
 * error of the update when it finds none.
 */
export async function claimEvents(events: Events, ids: readonly string[], terms: Claim) {
  const due = { _id: { $in: [...ids] }, open: true, $expr: isDue, ...readable } as const;
  const where = { ...due, ...claimable(terms.alone === true) };
  let failure: unknown = null;
  const { matchedCount } = await events
    .updateMany(where, claimStages(terms), { hint: idIndex })
    .catch((error: unknown) => {
      failure = error;
      return { matchedCount: ids.length };
    });
  if (matchedCount === 0) return [];
  const won = (await events
    .find({ _id: { $in: [...ids] }, claimToken: terms.token }, { hint: idIndex })
    .toArray()) as ClaimedEvent[];
  if (won.length < matchedCount) {
    const mine = new Set(won.map(({ _id }) => _id));
    const others = ids.filter((id) => !mine.has(id));
    await releaseEvents(events, terms.token, others);
  }
  if (won.length === 0 && failure !== null) throw failure;
  return won;
}

/** Releases the events that the token still holds. They are due at once, and the attempt is not counted. */
export async function releaseEvents(events: Events, token: string, ids: readonly string[]) {
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
    { hint: idIndex },
  );
}

/** Renews the lease of each event. Returns the ids of the events that the claim has lost. */
export async function renewLeases(
  events: Events,
  claimed: readonly Pick<ClaimedEvent, '_id' | 'fence' | 'claimToken'>[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const mine = {
    $or: claimed.map(({ _id, fence, claimToken }) => ({ _id, fence, claimToken })),
    state: statesBefore('finish'),
  };
  const { matchedCount } = await events.updateMany(mine, [
    { $set: { dueAt: msFromNow(leaseMs), nextAt: msFromNow(leaseMs) } },
  ]);
  if (matchedCount === claimed.length) return new Set();
  const held = new Set(await listIds(events, mine));
  return new Set(claimed.flatMap(({ _id }) => (held.has(_id) ? [] : [_id])));
}
