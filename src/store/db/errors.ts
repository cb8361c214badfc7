/** What MongoDB's errors mean to us. Their messages quote values, so they go to the log's error field at most. */
import mongoose from 'mongoose';
import { AppError } from '../../base/errors.ts';

const { BSONError } = mongoose.mongo.BSON;
const { MongoBulkWriteError, MongoError, MongoServerError } = mongoose.mongo;
const duplicateKey = 11_000;
const maxTimeExpired = 50;

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === duplicateKey;

/** Whether an operation took longer than its own limit. */
export const isTimeLimitExceeded = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === maxTimeExpired;

/** Whether a document cannot be written as BSON at all, now or later. */
export const isBsonError = (error: unknown): boolean => error instanceof BSONError;

/** The driver lets a write to a socket that was just reset fail with the system's own error. */
export const isSocketError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET)/.test(String(error.code));

/** Whether MongoDB, and not our own code, is what failed. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof MongoError ||
  isSocketError(error) ||
  (error instanceof AppError && error.code === 'unavailable');

/** One operation of an unordered bulk that was refused. `index` is the violated index of a duplicate. */
export type BulkFailure =
  | { readonly kind: 'duplicate'; readonly index: string }
  | { readonly kind: 'failed'; readonly error: Error };

const indexOf = (message: string | undefined): string =>
  /index: (?:\S+\.\$)?(\S+)/.exec(message ?? '')?.[1] ?? '';

/**
 * Runs an unordered bulk and returns what was refused, by position. Rejects when the write concern was not met or the
 * error is not a bulk's: then nothing is known of any operation.
 *
 * The error's own list is empty, whatever the result's says, beside a write-concern error and when a large bulk, which
 * leaves as several commands, broke off after the first. With a clean write concern a duplicate is as durable as what is
 * new, because MongoDB waits for the write concern of refused writes too (its jstests/replsets/writes_wait_for_write_concern.js).
 */
export async function collectBulkFailures(
  run: () => Promise<unknown>,
): Promise<Map<number, BulkFailure>> {
  const refusals = new Map<number, BulkFailure>();
  try {
    await run();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const isSettled = !error.result.getWriteConcernError() && [error.writeErrors].flat().length > 0;
    if (!isSettled) throw error;
    for (const { index, code, errmsg } of error.result.getWriteErrors()) {
      refusals.set(
        index,
        code === duplicateKey
          ? { kind: 'duplicate', index: indexOf(errmsg) }
          : { kind: 'failed', error: new Error(`The write was refused with code ${code}.`) },
      );
    }
  }
  return refusals;
}
