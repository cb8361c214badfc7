/**
 * Mongoose models, pages of a list, and transactions.
 *
 * Promises: every write waits for a majority's journal and every read returns majority-committed data; a database that
 * cannot take a change becomes `unavailable`, which the caller may retry.
 * Must never: create a collection or an index. The migration does.
 */
import mongoose from 'mongoose';
import { AppError } from '../../base/errors.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import { majorityRead, majorityWrite } from './connection.ts';
import type { Connection } from './connection.ts';
import { isSocketError } from './errors.ts';

export type Session = mongoose.ClientSession;
type Stored = { readonly _id: string };
type Definition = Readonly<Record<string, unknown>>;
type AnyFunction = (...args: never[]) => Promise<unknown>;

const options = {
  ...majorityWrite,
  ...majorityRead,
  autoIndex: false,
  autoCreate: false,
  versionKey: false,
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
} as const;

/** The model of a collection. A connection has one model of each name. */
export function modelOf<Doc extends Stored>(
  connection: Connection,
  name: string,
  definition: Definition,
): mongoose.Model<Doc> {
  if (connection.models[name]) return connection.model<Doc>(name);
  const schema = new mongoose.Schema(definition, options as mongoose.SchemaOptions);
  return connection.model<Doc>(name, schema, name);
}

/** Runs `work` in a transaction: all of its writes or none. `work` may run more than once. */
export function inTransaction<Result>(
  connection: Connection,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return connection
    .getClient()
    .withSession((session) => session.withTransaction(work, { ...majorityWrite, ...majorityRead }));
}

type Filter = Readonly<Record<string, unknown>>;

/**
 * Reads a page of a small collection and counts all matches. `hint` names the index to scan, for a list that is read in its
 * order and whose conditions have no index of their own.
 */
export async function readPage<Doc extends Stored>(
  model: mongoose.Model<Doc>,
  filter: Filter,
  { hint, ...page }: Page & { readonly hint?: string },
): Promise<Paged<Doc>> {
  const [results, total] = await Promise.all([
    model
      .find(filter, null, hint === undefined ? {} : { hint })
      .sort({ ...page.sort, _id: tieBreakDirection(page.sort) })
      .skip(page.skip)
      .limit(page.limit)
      .lean<Doc[]>(),
    // Without conditions MongoDB would read every document: the smallest index is counted instead.
    model.countDocuments(filter, isEmpty(filter) ? { hint: '_id_' } : { ...(hint && { hint }) }),
  ]);
  return { results, total };
}

export const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0;

/** The direction of `_id` as the tie breaker: that of the last sort field, so that one index serves both directions. */
export const tieBreakDirection = (sort: Page['sort']): 1 | -1 => Object.values(sort).at(-1) ?? 1;

/** A filter with `$in` for each list that is given. */
export function anyOf(lists: Readonly<Record<string, readonly unknown[] | undefined>>): Filter {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  );
}

/** Bounds of a date range, both ends included. */
export const dateBounds = ({ from, to }: DateRange) => ({
  ...(from && { $gte: from }),
  ...(to && { $lte: to }),
});

/** A filter on a date field; empty when the range has no end. */
export function inDateRange(field: string, range: DateRange): Filter {
  return range.from || range.to ? { [field]: dateBounds(range) } : {};
}

/** The store with functions that throw `unavailable` for an error of an unavailable database. */
export function mapStoreErrors<Store extends Readonly<Record<string, AnyFunction>>>(
  store: Store,
): Store {
  const entries = Object.entries(store).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      try {
        return await run(...args);
      } catch (cause) {
        if (isUnavailable(cause)) throw new AppError('unavailable', { cause, retryAfterMs: 2_000 });
        throw cause;
      }
    },
  ]);
  return Object.fromEntries(entries) as Store;
}

const { MongoError, MongoErrorLabel, MongoNetworkError, MongoSystemError, MongoWriteConcernError } =
  mongoose.mongo;
const transientLabels = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.ResetPool,
];
// https://www.mongodb.com/docs/manual/reference/error-codes/
const transientCodes = new Set(
  [
    // A primary that steps down, shuts down or is missing.
    [91, 94, 95, 133, 134, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436],
    // Timeouts, interruptions, lock conflicts, and write concerns that were not met.
    [24, 46, 50, 64, 79, 100, 112, 202, 262, 11_601],
    // Network errors between members, pools, and load shedding.
    [6, 7, 89, 317, 365, 384, 461, 462, 9_001],
    // Full or failing disks: the storage engine then answers UnknownError or OperationFailed.
    [8, 96, 14_031],
  ].flat(),
);

/** Returns whether the error says that a transaction was not committed and is not retried. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof MongoError &&
  error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) &&
  !error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);

/** Returns whether the error is one of a database that is unavailable for now, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) {
    if (isSocketError(error)) return true;
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
