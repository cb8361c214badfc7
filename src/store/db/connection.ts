/**
 * The MongoDB connection and the concerns of every read and write.
 *
 * Promises: a write is answered only when a majority has it in its journal; a read that decides an effect returns only
 * majority-committed data. Every wait is bounded, so an unresponsive database becomes an error and not a hang.
 */
import mongoose from 'mongoose';
import { AppError } from '../../base/errors.ts';

export type Connection = mongoose.Connection;

export const majorityWrite = {
  writeConcern: { w: 'majority', j: true, wtimeoutMS: 10_000 },
} as const;
export const majorityRead = { readConcern: { level: 'majority' } } as const;

export type IndexSpec = {
  readonly collection: string;
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly where?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
  readonly collation?: { readonly locale: string; readonly strength: number };
};

/** Opens a connection. Rejects when no primary answers within 5 s. */
export function connectMongo(url: string): Promise<Connection> {
  return mongoose
    .createConnection(url, {
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      ignoreUndefined: true,
      promoteBuffers: true,
      retryWrites: true,
      maxPoolSize: 32,
      connectTimeoutMS: 5_000,
      serverSelectionTimeoutMS: 5_000,
      socketTimeoutMS: 30_000,
      waitQueueTimeoutMS: 10_000,
      appName: 'inlet',
    })
    .asPromise();
}

/** The native driver's collection. Each collection has one owner file, which names its type. */
export function collectionOf<Record extends { _id: string }>(connection: Connection, name: string) {
  return connection.getClient().db(connection.name).collection<Record>(name);
}
export type Collection<Record extends { _id: string }> = ReturnType<typeof collectionOf<Record>>;

/**
 * How long one command of the receiving path may take, with retries and server selection. The driver's own `timeoutMS` has
 * no effect since version 7, and its socket timeout is retried once.
 */
const promptMs = 6_000;

/**
 * Runs commands that take the given signal, an option of every command though not of every type. Aborts them after
 * `withinMs` and rejects with `unavailable`: the connection is closed and the outcome of the command is unknown.
 */
export async function withDeadline<Result>(
  run: (abort: { readonly signal: AbortSignal }) => Promise<Result>,
  withinMs = promptMs,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const internal = `MongoDB did not answer within ${withinMs} ms.`;
  const timer = setTimeout(
    () => controller.abort(new AppError('unavailable', { retryAfterMs: 5_000, internal })),
    withinMs,
  );
  try {
    return await run({ signal });
  } catch (error) {
    // The driver rejects with the reason itself, and for a bulk with an error around it.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

const hello = (connection: Connection) =>
  withDeadline((abort) => connection.getClient().db('admin').command({ hello: 1 }, abort), 2_000);

/** Returns whether a primary answers within 2 s. */
export async function isWritable(connection: Connection): Promise<boolean> {
  try {
    return (await hello(connection)).isWritablePrimary === true;
  } catch {
    return false;
  }
}

/** The time of the primary's clock. Rejects when it does not answer within 2 s. */
export const databaseTime = async (connection: Connection): Promise<Date> =>
  (await hello(connection)).localTime as Date;
