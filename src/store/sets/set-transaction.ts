/**
 * The transaction of a set, or of a part of it: what it writes and the outcomes of its events are committed together.
 *
 * Promises: it changes the set before anything else but its locks, so that it is not committed once the set has expired or was dropped. What it reads is of one
 * snapshot. It is driven by hand: `withTransaction` of the driver would repeat it for two minutes.
 */
import mongoose from 'mongoose';
import { sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { runCommand, runRaw } from '../db/command.ts';
import type { Connection, Session } from '../db/connection.ts';
import { asUnavailable } from '../db/errors.ts';
import { sets } from './sets.ts';

const { MongoError, MongoErrorLabel, MongoServerError } = mongoose.mongo;

/** Everything that a write within the transaction needs. */
export type Tx = { readonly connection: Connection; readonly session: Session };

/** The set has ended: it expired, or was dropped. Nothing was written. */
export class SetEnded extends Error {
  override readonly name = 'SetEnded';
}

/** Another writer changed a document that the transaction relies on. Nothing was written. */
export class SetConflict extends Error {
  override readonly name = 'SetConflict';
}

/** The answer of the commit was lost. The set is over: `dropSet` waits until the transaction has ended either way. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

type SetPart = {
  readonly token: string;
  /** The events whose outcomes the transaction writes; null for all that the set still has. */
  readonly eventIds: readonly string[] | null;
  /**
   * The first statement. It opens the snapshot, so another writer of what it locks has almost no time in between to cause a conflict.
   */
  readonly lock?: () => Promise<void>;
};

const concerns = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
} as const;

/** A commit is repeated at once when its answer is lost, and with a pause after that. */
const maxCommits = 3;

/**
 * Runs `work` and commits. Throws SetEnded, SetConflict, CommitUnknown, `unavailable`, and what `work` throws; only after
 * CommitUnknown something may have been written.
 */
export async function runSetTransaction<Result>(
  tx: Tx,
  part: SetPart,
  work: () => Promise<Result>,
): Promise<Result> {
  const { session } = tx;
  await begin(tx, part);
  let result: Result;
  try {
    await changeSet(tx, part);
    result = await work();
  } catch (error) {
    await session.abortTransaction().catch(() => undefined);
    throw classified(error);
  }
  await commit(tx);
  return result;
}

/** A lock that meets another writer has read nothing, so it is tried again at once. Other writers of one document take turns. */
const maxLocks = 10;
const maxLockPauseMs = 10;

async function begin({ session }: Tx, { lock }: SetPart): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    session.startTransaction(concerns);
    try {
      return await lock?.();
    } catch (error) {
      await session.abortTransaction().catch(() => undefined);
      if (!isConflict(error) || tries === maxLocks) throw classified(error);
      await sleep(Math.random() * maxLockPauseMs);
    }
  }
}

async function changeSet(tx: Tx, { token, eventIds }: SetPart): Promise<void> {
  const collection = sets(tx.connection);
  const changed = await (eventIds === null
    ? runCommand(tx, 'delete', async (options) => {
        const { deletedCount } = await collection.deleteOne({ _id: token }, options);
        return deletedCount;
      })
    : runCommand(tx, 'update', async (options) => {
        const leave = { $pull: { eventIds: { $in: [...eventIds] } }, $inc: { beat: 1 } };
        return (await collection.updateOne({ _id: token }, leave, options)).matchedCount;
      }));
  if (changed !== 1) throw new SetEnded('The set has expired, or was dropped.');
}

async function commit(tx: Tx): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runRaw(tx, 'commit', () => tx.session.commitTransaction());
      return;
    } catch (error) {
      if (!isUnknown(error)) throw classified(error);
      if (tries === maxCommits)
        throw new CommitUnknown('The commit was not answered.', { cause: error });
    }
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError ||
  (error instanceof MongoError &&
    error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult));

/**
 * WriteConflict; the snapshot is too old; the transaction was ended by the server; and a key that another transaction inserted
 * before the snapshot was opened.
 */
const conflictCodes = new Set([112, 246, 239, 225, 251, 11_000]);

const isConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && conflictCodes.has(Number(error.code));

const classified = (error: unknown): unknown =>
  isConflict(error)
    ? new SetConflict('Another writer was faster.', { cause: error })
    : asUnavailable(error);
