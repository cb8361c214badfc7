/**
 * How a collection with a mongoose model is opened, read by the page and changed in a transaction.
 *
 * Promises: every write waits for a majority's journal and every read sees only what a majority has; a database that
 * cannot take the change becomes `unavailable`, which the caller may try again.
 * Must never: create a collection or an index by itself; the migration step does.
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

/** The model of a collection; the same connection always gives the same one. */
export function modelOf<Doc extends Stored>(
  connection: Connection,
  name: string,
  definition: Definition,
): mongoose.Model<Doc> {
  if (connection.models[name]) return connection.model<Doc>(name);
  const schema = new mongoose.Schema(definition, options as mongoose.SchemaOptions);
  return connection.model<Doc>(name, schema as never, name);
}

/** Everything in `work` happens, or nothing; it may run more than once. */
export function inTransaction<Result>(
  connection: Connection,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return connection
    .getClient()
    .withSession((session) =>
      session.withTransaction(work as never, { ...majorityWrite, ...majorityRead }),
    );
}

type Filter = Readonly<Record<string, unknown>>;

/** `hint` names the index to walk where no condition has one of its own: for what is few, and read along its order. */
export async function readPage<Doc extends Stored>(
  model: mongoose.Model<Doc>,
  filter: Filter,
  { hint, ...page }: Page & { readonly hint?: string },
): Promise<Paged<Doc>> {
  const [results, total] = await Promise.all([
    model
      .find(filter as never, null, hint === undefined ? {} : { hint })
      .sort({ ...page.sort, _id: tieBreakDirection(page.sort) })
      .skip(page.skip)
      .limit(page.limit)
      .lean<Doc[]>(),
    // Without conditions the smallest index is counted; otherwise every document would be read.
    model.countDocuments(
      filter as never,
      isEmpty(filter) ? { hint: '_id_' } : { ...(hint && { hint }) },
    ),
  ]);
  return { results, total };
}

export const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0;

/** The id follows the direction of what it breaks ties of, so that one index serves both directions. */
export const tieBreakDirection = (sort: Page['sort']): 1 | -1 => Object.values(sort).at(-1) ?? 1;

/** Each given list becomes "one of these"; what is not given does not filter. */
export function anyOf(lists: Readonly<Record<string, readonly unknown[] | undefined>>): Filter {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  );
}

/** Both ends included. */
export const dateBounds = ({ from, to }: DateRange) => ({
  ...(from && { $gte: from }),
  ...(to && { $lte: to }),
});

/** As `between`; without an end the field does not matter. */
export function inDateRange(field: string, range: DateRange): Filter {
  return range.from || range.to ? { [field]: dateBounds(range) } : {};
}

/** A store whose functions say `unavailable` where the database does. */
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
const passing = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.ResetPool,
];
// https://www.mongodb.com/docs/manual/reference/error-codes/
const passingCodes = new Set(
  [
    // Primaries that step down, shut down or are not there.
    [91, 94, 95, 133, 134, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436],
    // What took too long, was interrupted or lost a race for a lock; write concerns that were not met.
    [24, 46, 50, 64, 79, 100, 112, 202, 262, 11_601],
    // The network between members, pools, and what a server sheds.
    [6, 7, 89, 317, 365, 384, 461, 462, 9_001],
    // Disks that are full or fail: UnknownError and OperationFailed are what the storage engine says then.
    [8, 96, 14_031],
  ].flat(),
);

/** Whether the error says that a transaction was not committed, and that nobody tries it again. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof MongoError &&
  error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) &&
  !error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);

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
    passing.some((label) => error.hasErrorLabel(label)) ||
    passingCodes.has(Number(error.code))
  );
}
