/** Ends the sets of workers that crashed or stalled. */
import type { EventRecord } from '../../domain/events/event.ts';
import { statesBefore, type StateAfter } from '../../domain/events/lifecycle.ts';
import { maxIsolatedCrashes } from '../../domain/events/outcome.ts';
import { defaultMaxAttempts } from '../../domain/webhooks/retries.ts';
import { nativeCollection } from '../db/collection.ts';
import { runCommand } from '../db/command.ts';
import { inTransaction, type Connection } from '../db/connection.ts';
import { literal } from '../db/queries.ts';
import { timelineWith } from '../events/state-change.ts';
import { endSession, sets, type SetRecord } from './sets.ts';

const states: Readonly<Record<'alive' | 'spent', StateAfter<'expire'>>> = {
  alive: 'received',
  spent: 'dead',
};

const attemptsLimit = { $ifNull: ['$maxAttempts', defaultMaxAttempts] };

/** The reason for which the event becomes dead, or null when another attempt is allowed. */
const verdict = {
  $cond: [
    { $gte: ['$crashes', maxIsolatedCrashes] },
    'crashed_worker',
    { $cond: [{ $gte: ['$attempts', attemptsLimit] }, 'attempts_spent', null] },
  ],
};

function expireStages({ worker, takenAt, alone }: SetRecord) {
  const ifAlive = (value: unknown, otherwise: unknown) => ({
    $cond: [{ $eq: ['$verdict', null] }, value, otherwise],
  });
  const attempt = { worker: literal(worker), startedAt: takenAt };
  return [
    {
      $set: {
        attempts: { $add: ['$attempts', 1] },
        // Only a crash of a worker that had nothing else in progress was surely caused by the event.
        crashes: { $add: ['$crashes', alone ? 1 : 0] },
        fence: { $add: ['$fence', 1] },
      },
    },
    { $set: { verdict } },
    {
      $set: {
        timeline: ifAlive(
          timelineWith(states.alive, 'lost', attempt),
          timelineWith(states.spent, '$verdict', attempt),
        ),
        state: ifAlive(states.alive, states.spent),
        reason: '$verdict',
        dueAt: null,
        nextAt: ifAlive('$$NOW', null),
        sweeps: 0,
        finishedAt: ifAlive(null, '$$NOW'),
        open: ifAlive(true, '$$REMOVE'),
        alone: ifAlive(true, '$$REMOVE'),
      },
    },
    { $unset: 'verdict' },
  ];
}

/**
 * Ends the set and counts an attempt of each of its open events, which are processed alone from now on. Returns them, and those
 * that have no attempt left, which are dead; null when the set was gone, or its worker has shown that it lives. Its transaction is ended first, so that its locks are free.
 */
export async function expireSet(
  connection: Connection,
  set: SetRecord,
): Promise<readonly EventRecord[] | null> {
  await endSession(connection, set.session);
  const where = {
    _id: { $in: [...set.eventIds] },
    open: true as const,
    state: statesBefore('expire'),
  };
  return inTransaction(connection, async (session) => {
    const tx = { connection, session };
    const { deletedCount } = await runCommand(tx, 'delete', (options) =>
      // A set whose worker has shown since that it lives stays.
      sets(connection).deleteOne({ _id: set._id, beat: set.beat }, options),
    );
    if (deletedCount === 0) return null;
    const events = nativeCollection<EventRecord>(connection, 'events');
    const found = await runCommand(tx, 'find', (options) =>
      events.find(where, { ...options, projection: { _id: 1 } }).toArray(),
    );
    const ids = { _id: { $in: found.map(({ _id }) => _id) } };
    await runCommand(tx, 'update', (options) => events.updateMany(ids, expireStages(set), options));
    return runCommand(tx, 'find', (options) =>
      events.find(ids, { ...options, projection: { delivery: 0, resends: 0 } }).toArray(),
    );
  });
}
