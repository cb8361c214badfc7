/** Classifies errors of MongoDB. Their messages quote values, so they may appear only in the `err` field of a log line. */
import mongoose from 'mongoose';
import { AppError } from '../../base/errors.ts';

const { BSONError } = mongoose.mongo.BSON;
const { MongoBulkWriteError, MongoError, MongoServerError } = mongoose.mongo;
const duplicateKey = 11_000;
const maxTimeExpired = 50;

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === duplicateKey;

/** Returns whether an operation exceeded its `maxTimeMS`. */
export const isTimeLimitExceeded = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === maxTimeExpired;

/** Returns whether a document cannot be written as BSON. A retry cannot succeed. */
export const isBsonError = (error: unknown): boolean => error instanceof BSONError;

/** Returns whether the error is a socket error. The driver does not wrap it for a write after a reset. */
export const isSocketError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET)/.test(String(error.code));

/** Returns whether the error comes from MongoDB or the connection to it. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof MongoError ||
  isSocketError(error) ||
  (error instanceof AppError && error.code === 'unavailable');

/** A failed operation of an unordered bulk. `index` is the name of the index that a duplicate violates. */
type BulkFailure =
  | { readonly kind: 'duplicate'; readonly index: string }
  | { readonly kind: 'failed'; readonly error: Error };

const indexOf = (message: string | undefined): string =>
  /index: (?:\S+\.\$)?(\S+)/.exec(message ?? '')?.[1] ?? '';

/**
 * Runs an unordered bulk and returns its failed operations by position. Rejects when the write concern was not met or the
 * error is not a bulk write error: then the outcome of every operation is unknown.
 *
 * `writeErrors` of the error is empty in two cases, even if the result lists errors: with a write concern error, and when a
 * large bulk, which the driver sends as several commands, stopped after the first command. When the write concern was met, a
 * duplicate is as durable as a new document: MongoDB waits for the write concern of rejected writes too
 * (jstests/replsets/writes_wait_for_write_concern.js).
 */
export async function collectBulkFailures(
  run: () => Promise<unknown>,
): Promise<Map<number, BulkFailure>> {
  const failures = new Map<number, BulkFailure>();
  try {
    await run();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const isSettled = !error.result.getWriteConcernError() && [error.writeErrors].flat().length > 0;
    if (!isSettled) throw error;
    for (const { index, code, errmsg } of error.result.getWriteErrors()) {
      failures.set(
        index,
        code === duplicateKey
          ? { kind: 'duplicate', index: indexOf(errmsg) }
          : { kind: 'failed', error: new Error(`The write failed with code ${code}.`) },
      );
    }
  }
  return failures;
}
