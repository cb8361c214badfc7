/**
 * Mongoose models, paginated reads, and transactions.
 *
 * Promises: every write waits for the journal of a majority, and every read returns majority-committed data; an error of an
 * unavailable database becomes the AppError `unavailable`, which the caller may retry.
 * Must never: create a collection or an index. Only the migration creates them.
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

/** Returns the model of a collection. A connection has one model for each name. */
export function modelOf<Doc extends Stored>(
  connection: Connection,
  name: string,
  definition: Definition,
): mongoose.Model<Doc> {
  if (connection.models[name]) return connection.model<Doc>(name);
  const schema = new mongoose.Schema(definition, options as mongoose.SchemaOptions);
  return connection.model<Doc>(name, schema, name);
}

/** Runs `work` in a transaction and returns its result. `work` may run more than once. */
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
 * Reads a page of a small collection and counts all matches. `hint` names the index to scan when the conditions have no
 * index and the list has the order of that index.
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
    // Without conditions MongoDB would read every document. The hint makes it count the smallest index.
    model.countDocuments(filter, isEmpty(filter) ? { hint: '_id_' } : { ...(hint && { hint }) }),
  ]);
  return { results, total };
}

export const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0;

/** Returns the sort direction for `_id`: that of the last sort field, so that one index serves both directions. */
export const tieBreakDirection = (sort: Page['sort']): 1 | -1 => Object.values(sort).at(-1) ?? 1;

/** Returns a filter with `$in` for each list. Undefined lists are omitted. */
export function anyOf(lists: Readonly<Record<string, readonly unknown[] | undefined>>): Filter {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  );
}

/** Returns the query operators for a date range, both ends included. */
export const dateBounds = ({ from, to }: DateRange) => ({
  ...(from && { $gte: from }),
  ...(to && { $lte: to }),
});

/** Returns a filter on a date field. It is empty when the range has neither `from` nor `to`. */
export function inDateRange(field: string, range: DateRange): Filter {
  return range.from || range.to ? { [field]: dateBounds(range) } : {};
}

/** Returns the store with functions that throw `unavailable` for errors of an unavailable database. */
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
