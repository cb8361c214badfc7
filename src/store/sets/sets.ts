/**
 * Sets: the events that one worker processes together, under one lease. Collection `sets`.
 *
 * Promises: a set exists from before its events are read by their mappings until their outcomes are committed. Its transaction,
 * its expiry and its release all delete the same document, so exactly one of them decides. A set needs no majority: when a
 * fail-over loses it, its transaction finds nothing to delete and is not committed.
 */
import mongoose, { type ClientSession } from 'mongoose';
import type { EventRecord } from '../../domain/events/event.ts';
import { statesBefore } from '../../domain/events/lifecycle.ts';
import { nativeCollection } from '../db/collection.ts';
import { runCommand } from '../db/command.ts';
import type { Connection } from '../db/connection.ts';
import { unauthorizedCommandOf } from '../db/errors.ts';
import { idIndex, readable } from '../db/queries.ts';
import { isDue } from '../events/state-change.ts';

export const setsCollection = 'sets';

export type SetRecord = {
  readonly _id: string;
  /** Those without a committed outcome. */
  readonly eventIds: readonly string[];
  /** The name of the process that has it. */
  readonly worker: string;
  /** The session of its transactions, so that the expiry can end them. */
  readonly session: Uint8Array;
  /** Raised while the process lives. */
  readonly beat: number;
  /** Taken while nothing else was in progress in the process. */
  readonly alone?: true;
  readonly takenAt: Date;
};

/** An event of a set. `attempts` counts the one in progress, which its outcome writes. */
export type TakenEvent = EventRecord & { readonly takenAt: Date };

type Take = {
  readonly token: string;
  readonly worker: string;
  readonly session: ClientSession;
  readonly alone: boolean;
  readonly now: Date;
};

const local = { readConcern: { level: 'local' } } as const;
const unconfirmed = { writeConcern: { w: 1 } } as const;

export const sets = (connection: Connection) =>
  nativeCollection<SetRecord>(connection, setsCollection);

/**
 * Takes the due events among `ids` that no live set has, and returns them. Without `alone`, events that may have ended a worker are
 * left out. After an error the set may exist.
 */
export async function takeEvents(
  connection: Connection,
  ids: readonly string[],
  { token, worker, session, alone, now }: Take,
): Promise<readonly TakenEvent[]> {
  const [due, busy] = await Promise.all([
    findDue(connection, ids, alone),
    listBusy(connection, ids),
  ]);
  const free = due.filter(({ _id }) => !busy.has(_id));
  if (free.length === 0) return [];
  const set: SetRecord = {
    _id: token,
    eventIds: free.map(({ _id }) => _id),
    worker,
    session: sessionIdOf(session),
    beat: 0,
    ...(alone && { alone }),
    takenAt: now,
  };
  // In the session, so that the snapshot of its transaction is not older than the set.
  await runCommand({ connection, session }, 'insert', (options) =>
    sets(connection).insertOne(set, { ...options, ...unconfirmed }),
  );
  return free.map((event) => ({ ...event, attempts: event.attempts + 1, takenAt: now }));
}

/** The driver writes it as binary, and reads it as plain bytes. */
const sessionIdOf = ({ id }: ClientSession): Uint8Array => Buffer.from(id?.id.buffer ?? []);

function findDue(connection: Connection, ids: readonly string[], alone: boolean) {
  const where = {
    _id: { $in: [...ids] },
    open: true as const,
    state: statesBefore('finish'),
    ...(!alone && { alone: { $ne: true as const } }),
    $expr: isDue,
    ...readable,
  };
  return runCommand({ connection }, 'find', (options) =>
    nativeCollection<EventRecord>(connection, 'events')
      .find(where, { ...options, hint: idIndex })
      .toArray(),
  );
}

/** Returns which of the events are in a live set. Reads the few sets that exist. */
async function listBusy(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await runCommand({ connection }, 'find', (options) =>
    sets(connection)
      .find({ eventIds: { $in: [...ids] } }, { ...options, ...local, projection: { eventIds: 1 } })
      .toArray(),
  );
  return new Set(found.flatMap(({ eventIds }) => eventIds));
}

/** Returns all live sets. */
export const listSets = (connection: Connection): Promise<SetRecord[]> =>
  runCommand({ connection }, 'find', (options) =>
    sets(connection)
      .find({}, { ...options, ...local })
      .toArray(),
  );

/** Shows that the process lives. Returns false when the set is gone. */
export async function beatSet(connection: Connection, token: string): Promise<boolean> {
  const { matchedCount } = await runCommand({ connection }, 'update', (options) =>
    sets(connection).updateOne(
      { _id: token },
      { $inc: { beat: 1 } },
      { ...options, ...unconfirmed },
    ),
  );
  return matchedCount === 1;
}

/**
 * Ends a set outside its transaction, for example on shutdown. Waits for a transaction that has changed it. Returns false when the
 * set was gone: its transaction was committed, or it had expired.
 */
export async function dropSet(connection: Connection, token: string): Promise<boolean> {
  const { deletedCount } = await runCommand({ connection }, 'delete', (options) =>
    sets(connection).deleteOne({ _id: token }, options),
  );
  return deletedCount === 1;
}

/**
 * Ends a set whose commit was not answered. The server may never have got the commit: its transaction is ended first, so that neither
 * this nor others wait for its locks until the server ends it by itself.
 */
export async function dropUnknownSet(
  { connection, session }: { readonly connection: Connection; readonly session: ClientSession },
  token: string,
): Promise<boolean> {
  await endSession(connection, sessionIdOf(session));
  return dropSet(connection, token);
}

/**
 * Ends the session, so that its transaction does not lock until MongoDB ends it by its own limit, which is a minute by default. A user
 * that may not end it waits for that.
 */
export async function endSession(connection: Connection, session: Uint8Array): Promise<void> {
  // The driver reads it as plain bytes, and MongoDB takes only a UUID.
  const id = new mongoose.mongo.UUID(Buffer.from(session));
  try {
    await runCommand({ connection }, 'update', (options) =>
      connection
        .getClient()
        .db('admin')
        .command({ killSessions: [{ id }] }, options),
    );
  } catch (error) {
    if (unauthorizedCommandOf(error) === null) throw error;
  }
}

/** Takes events out of the set, which others may take then. */
export async function leaveSet(
  connection: Connection,
  token: string,
  ids: readonly string[],
): Promise<void> {
  await runCommand({ connection }, 'update', (options) =>
    sets(connection).updateOne(
      { _id: token },
      { $pull: { eventIds: { $in: [...ids] } }, $inc: { beat: 1 } },
      { ...options, ...unconfirmed },
    ),
  );
}
