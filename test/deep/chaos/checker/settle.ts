// Waits after the faults until all events and runs have ended.
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { TestBed } from '../cluster/test-bed.ts';

export type Settled = {
  readonly isSettled: boolean;
  /** Events that were still open when their times were moved forward. */
  readonly stillOpen: number;
  /** Their states and reasons at the first time. */
  readonly waitedFor: readonly string[];
  /** Events that died of faults alone and were replayed. */
  readonly replayed: number;
  readonly tookMs: number;
};

export type SettleLimits = {
  /** Time without intervention. */
  readonly naturalMs: number;
  /** Further time without progress, in which the times of events are moved forward. A backlog may take longer than this. */
  readonly fastForwardMs: number;
};

const lookEveryMs = 250;
const fastForwardEveryMs = 3_000;
/** The reasons that faults may give a valid event. */
const reasonsOfFaults = [
  'attempts_spent',
  'crashed_worker',
  'store_unavailable',
  'effect_contended',
];

/** The parts of a test bed that something can be open in. */
type Settling = Pick<TestBed, 'cluster' | 'operator' | 'destinations'>;

export async function waitUntilSettled(
  { operator, ...settling }: Settling,
  patience: SettleLimits,
): Promise<Settled> {
  const startedAt = Date.now();
  let stillOpen = 0;
  let replayed = 0;
  let waitedFor: readonly string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const first = await settleOnce(settling, patience);
    stillOpen += first.stillOpen;
    waitedFor = waitedFor.length > 0 ? waitedFor : first.waitedFor;
    if (!first.isSettled) {
      return { isSettled: false, stillOpen, waitedFor, replayed, tookMs: Date.now() - startedAt };
    }
    const again = await operator.replayDead(200, reasonsOfFaults);
    replayed += again;
    if (again === 0) break;
  }
  return { isSettled: true, stillOpen, waitedFor, replayed, tookMs: Date.now() - startedAt };
}

/** The number of open events and deliveries, sets, running replays, running erasures, unsent notices, and unanswered requests of services. */
async function countOpen({ cluster: { db }, destinations }: Omit<Settling, 'operator'>) {
  const open = { state: { $in: ['received', 'held', 'waiting'] } };
  const counts = await Promise.all([
    db.collection('events').countDocuments(open),
    db.collection('sets').countDocuments(),
    db.collection('runs').countDocuments({ state: 'running' }),
    db.collection('erasures').countDocuments({ open: true }),
    db.collection('messages').countDocuments({ 'delivery.open': true }),
    db.collection('notice_deliveries').countDocuments({ 'delivery.open': true }),
    countUnsentNotices(db),
  ]);
  return counts.reduce((sum, count) => sum + count, destinations?.pending() ?? 0);
}

/** Open notices that a target was not sent, because the evaluation ended before it stored the deliveries. The next one does it. */
async function countUnsentNotices(db: Cluster['db']): Promise<number> {
  const targets = await db
    .collection<{ sentTurn: number | null }>('notice_targets')
    .find({ enabled: true })
    .toArray();
  if (targets.length === 0) return 0;
  const sentTurn = Math.min(...targets.map((target) => target.sentTurn ?? 0));
  const unsent = { state: 'open', openedTurn: { $gt: sentTurn } };
  return db.collection('notices').countDocuments(unsent);
}

async function settleOnce(
  settling: Omit<Settling, 'operator'>,
  { naturalMs, fastForwardMs }: SettleLimits,
) {
  const { cluster } = settling;
  const events = cluster.db.collection('events');
  const naturalEnd = Date.now() + naturalMs;
  let stillOpen = 0;
  let waitedFor: readonly string[] = [];
  let fewestOpen = Infinity;
  let progressAt = naturalEnd;
  let nextForwardAt = naturalEnd;
  for (;;) {
    const open = await countOpen(settling);
    if (open === 0) return { isSettled: true, stillOpen, waitedFor };
    const now = Date.now();
    if (open < fewestOpen) {
      fewestOpen = open;
      progressAt = Math.max(now, naturalEnd);
      // While events end, moving times would only put the backlog into the queue again and again.
      nextForwardAt = Math.max(nextForwardAt, now + fastForwardEveryMs);
    }
    if (now > progressAt + fastForwardMs) return { isSettled: false, stillOpen, waitedFor };
    if (now > nextForwardAt) {
      if (stillOpen === 0) waitedFor = await reasonsToWait(events);
      stillOpen = Math.max(stillOpen, open);
      nextForwardAt = now + fastForwardEveryMs;
      await makeEventsDue(cluster);
      await makeDeliveriesDue(cluster);
      await endElections(cluster);
    }
    await pause(lookEveryMs);
  }
}

/** The open events by state, reason and number of sweeps, with the time to their next sweep. */
async function reasonsToWait(events: ReturnType<Cluster['db']['collection']>): Promise<string[]> {
  const found = await events
    .aggregate<{ _id: { state: string; sweeps: number; reason: string }; n: number; ms: number }>([
      { $match: { state: { $in: ['received', 'held', 'waiting'] } } },
      {
        $group: {
          _id: { state: '$state', sweeps: '$sweeps', reason: '$reason' },
          n: { $sum: 1 },
          ms: { $max: { $subtract: ['$nextAt', '$$NOW'] } },
        },
      },
    ])
    .toArray();
  return found.map(
    ({ _id: { state, sweeps, reason }, n, ms }) =>
      `${n} ${state} (${reason ?? ''}) after ${sweeps} sweeps, looked at in up to ${ms} ms`,
  );
}

/**
 * Moves the times of open events forward to now. A missing time stays missing: no sweep finds such an event, and the checker
 * must report it.
 */
export async function makeEventsDue({ db }: Pick<Cluster, 'db'>): Promise<void> {
  const events = db.collection('events');
  await events.updateMany({ open: true, nextAt: { $type: 'date' } }, [
    { $set: { nextAt: { $min: ['$nextAt', '$$NOW'] } } },
  ]);
  await events.updateMany({ open: true, state: 'waiting', dueAt: { $type: 'date' } }, [
    { $set: { dueAt: { $min: ['$dueAt', '$$NOW'] } } },
  ]);
}

/** The same for deliveries that wait. The time of one that is being sent is the end of its lease. */
async function makeDeliveriesDue({ db }: Pick<Cluster, 'db'>): Promise<void> {
  const waiting = {
    'delivery.open': true,
    'delivery.state': 'waiting',
    'delivery.nextAt': { $type: 'date' },
  };
  const due = { $set: { 'delivery.nextAt': { $min: ['$delivery.nextAt', '$$NOW'] } } };
  for (const name of ['messages', 'notice_deliveries'])
    await db.collection(name).updateMany(waiting, [due]);
}

/** A killed process keeps the evaluation of notices for two and a half minutes. */
async function endElections({ db }: Pick<Cluster, 'db'>): Promise<void> {
  if ((await countUnsentNotices(db)) === 0) return;
  const locks = db.collection<{ _id: string }>('locks');
  await locks.updateOne({ _id: 'notices' }, { $set: { until: new Date(0) } });
}
