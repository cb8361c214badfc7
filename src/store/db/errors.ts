/** Classifies errors of MongoDB. Their messages quote values, so they may appear only in the `err` field of a log line. */
import mongoose from 'mongoose';
import { AppError } from '../../base/errors.ts';

const { BSONError } = mongoose.mongo.BSON;
const {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoSystemError,
  MongoWriteConcernError,
} = mongoose.mongo;
const duplicateKey = 11_000;
const maxTimeExpired = 50;

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === duplicateKey;

/** For `catch`, where another process may have inserted the same document. */
export function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** Runs it again after a duplicate, which another process inserted since its read. Rejects with the error of the last try. */
export async function retryAfterDuplicate<Result>(
  run: () => Promise<Result>,
  maxTries = 2,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isDuplicateKey(error) || tries === maxTries) throw error;
    }
  }
}

const authenticationFailed = 18;
/** Of a proxy of Atlas, for any error of its own. */
const atlasError = 8_000;

/** Returns whether MongoDB refused the user or the password. The driver labels it as an error that a retry may resolve. */
export const isAuthenticationFailure = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === authenticationFailed ||
    (error.code === atlasError && /auth/.test(error.message)));

const unauthorized = 13;

/** Returns the name of the command that the user may not run; null for another error. */
export function unauthorizedCommandOf(error: unknown): string | null {
  if (!(error instanceof MongoServerError) || error.code !== unauthorized) return null;
  return /[Cc]ommand \{? ?(\w+)/.exec(error.message)?.[1] ?? 'a command';
}

/** Returns what the driver rejects in the URL or its options before it connects, or null. */
export function urlProblemOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const isMissingFile = 'code' in error && 'path' in error;
  const isRejected =
    /^Mongo(?:Parse|InvalidArgument|MissingCredentials|MissingDependency|API|Runtime)Error$/;
  return isMissingFile || isRejected.test(error.name) ? error.message : null;
}

/** Also of the error that `asUnavailable` made of it. */
export function isTimeLimitExceeded(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof MongoServerError && cause.code === maxTimeExpired;
}

/** Returns the error of the driver. */
const causeOf = (error: unknown): unknown => (isUnavailableError(error) ? error.cause : error);

const isUnavailableError = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'unavailable';

/** Returns whether a document cannot be written as BSON. A retry cannot succeed. */
export const isBsonError = (error: unknown): boolean => error instanceof BSONError;

/** Returns whether the error is a socket error. The driver does not wrap it for a write after a reset. */
const isSocketError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET)/.test(String(error.code));

export const isStoreError = (error: unknown): boolean =>
  error instanceof MongoError || isSocketError(error) || isUnavailableError(error);

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
export async function collectBulkFailures(run: () => Promise<unknown>) {
  const failures = new Map<number, BulkFailure>();
  try {
    await run();
  } catch (error) {
    const cause = causeOf(error);
    if (!(cause instanceof MongoBulkWriteError)) throw error;
    const isSettled = !cause.result.getWriteConcernError() && [cause.writeErrors].flat().length > 0;
    if (!isSettled) throw error;
    for (const { index, code, errmsg } of cause.result.getWriteErrors()) {
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

/** As `collectBulkFailures`, for a bulk in which an operation may only fail as a duplicate. Returns their positions. */
export async function collectDuplicates(run: () => Promise<unknown>): Promise<number[]> {
  return [...(await collectBulkFailures(run))].map(([index, bulkFailure]) => {
    if (bulkFailure.kind === 'failed') throw bulkFailure.error;
    return index;
  });
}

/** Returns `unavailable` for an error of an unavailable database, and any other error itself. */
export const asUnavailable = (cause: unknown): unknown =>
  isUnavailable(cause) && !isUnavailableError(cause)
    ? new AppError('unavailable', { cause, retryAfterMs: 2_000 })
    : cause;

/** For what `runCommand` does not run: throws `unavailable` for an error of an unavailable database. */
export async function mapUnavailable<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw asUnavailable(cause);
  }
}

const transientLabels = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.ResetPool,
];
// https://www.mongodb.com/docs/manual/reference/error-codes/
const transientCodes = new Set(
  [
    // The primary steps down, shuts down or is missing.
    [91, 94, 95, 133, 134, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436],
    // Timeouts, interruptions, lock conflicts, and write concerns that were not met.
    [24, 46, 50, 64, 79, 100, 112, 202, 262, 11_601],
    // Network errors between members, pools, and load shedding.
    [6, 7, 89, 317, 365, 384, 461, 462, 9_001],
    // Full or failing disks: the storage engine returns UnknownError or OperationFailed.
    [8, 96, 14_031],
  ].flat(),
);

/** Returns whether the error means that a transaction was not committed and is not retried. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof MongoError &&
  error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) &&
  !error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);

/** Returns whether the error means that the database is temporarily unavailable. A retry may then succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) {
    if (isSocketError(error) || isUnavailableError(error)) return true;
    return error instanceof Error && error.name.startsWith('MongooseServerSelection');
  }
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    error instanceof MongoWriteConcernError ||
    /^Mongo(PoolClosed|PoolCleared|WaitQueueTimeout|NotConnected|Topology|ClientClosed)/.test(
      error.name,
    ) ||
    transientLabels.some((label) => error.hasErrorLabel(label)) ||
    transientCodes.has(Number(error.code))
  );
}
