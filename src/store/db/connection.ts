/**
 * MongoDB: the connection, and the concerns under which everything is written and decided.
 *
 * Promises: a write is answered only when a majority has it in its journal; a read that decides an effect sees only
 * what a majority has. Every wait has an end, so that a silent database becomes an error and not a hang.
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

/** Opens a connection of its own; rejects when no primary answers within five seconds. */
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

/** The native driver's collection; typed by its one owner file. */
export function collectionOf<Record extends { _id: string }>(connection: Connection, name: string) {
  return connection.getClient().db(connection.name).collection<Record>(name);
}
export type Collection<Record extends { _id: string }> = ReturnType<typeof collectionOf<Record>>;

/**
 * How long one command of the receiving route may take, retries and the search for a primary included. The driver's own
 * `timeoutMS` does nothing since its version 7, and its socket timeout is tried twice.
 */
const promptMs = 6_000;

/**
 * Aborts what `run` does by its signal (an option of every command, though not of every type), once the time is over: the
 * connection is closed, nothing goes on in the background, and what became of the command is unknown. Rejects with
 * `unavailable` then.
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
    // The driver hands the reason on bare, or wrapped where it was a bulk.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

const hello = (connection: Connection) =>
  withDeadline((abort) => connection.getClient().db('admin').command({ hello: 1 }, abort), 2_000);

/** Whether a primary answers within two seconds. */
export async function isWritable(connection: Connection): Promise<boolean> {
  try {
    return (await hello(connection)).isWritablePrimary === true;
  } catch {
    return false;
  }
}

/** What the primary's clock shows. */
export const databaseTime = async (connection: Connection): Promise<Date> =>
  (await hello(connection)).localTime as Date;
