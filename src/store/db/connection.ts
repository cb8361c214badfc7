/**
 * The MongoDB connection, and the read and write concerns.
 *
 * Promises: a write is acknowledged only when a majority has it in its journal; a read returns only majority-committed
 * data. Every wait is bounded, so an unresponsive database becomes an error and not a hang.
 */
import mongoose from 'mongoose';
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from './deadline.ts';
import { mapUnavailable } from './errors.ts';

export type Connection = mongoose.Connection;

/** What a function of the stores takes first. Each context of a process is one. */
export type Db = {
  readonly connection: Connection;
  /** Follows the database's time. Stores read only this clock and `$$NOW`. */
  readonly clock: Clock;
};

/** The concerns of every command that names no other, inside and outside transactions. */
export const concerns = {
  readConcern: new mongoose.mongo.ReadConcern('majority'),
  writeConcern: { w: 'majority', j: true, wtimeoutMS: 10_000 },
} as const;

export type IndexSpec = {
  readonly collection: string;
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly where?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
  readonly collation?: { readonly locale: string; readonly strength: number };
};

export const indexesOf = (
  collection: string,
  indexes: Readonly<Record<string, Omit<IndexSpec, 'collection' | 'name'>>>,
): IndexSpec[] => Object.entries(indexes).map(([name, index]) => ({ collection, name, ...index }));

/** Opens a connection. Rejects when no primary answers within 5 s. */
export function connectMongo(url: string): Promise<Connection> {
  return mongoose
    .createConnection(url, {
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      ignoreUndefined: true,
      promoteBuffers: true,
      // MongoDB cuts long values in its errors, also within a character. The driver would fail to read such an error.
      enableUtf8Validation: false,
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

const databases = new WeakMap<Connection, mongoose.mongo.Db>();

/** Returns the native driver's database. Its collections inherit the concerns. */
export function databaseOf(connection: Connection): mongoose.mongo.Db {
  const database =
    databases.get(connection) ?? connection.getClient().db(connection.name, concerns);
  databases.set(connection, database);
  return database;
}

export type Session = mongoose.ClientSession;

/**
 * Runs `work` in a transaction and returns its result. `work` may run more than once. Throws `unavailable` when the database is
 * away.
 */
export const inTransaction = <Result>(
  connection: Connection,
  work: (session: Session) => Promise<Result>,
): Promise<Result> =>
  mapUnavailable(() =>
    connection.getClient().withSession((session) => session.withTransaction(work, concerns)),
  );

/** Rejects when the server does not answer within 2 s. */
export const hello = (connection: Connection) =>
  withDeadline((abort) => connection.getClient().db('admin').command({ hello: 1 }, abort), 2_000);

/** Returns whether a primary answers within 2 s. */
export async function isWritable(connection: Connection): Promise<boolean> {
  try {
    return (await hello(connection)).isWritablePrimary === true;
  } catch {
    return false;
  }
}

/** Returns the time of the primary's clock. Rejects when the primary does not answer within 2 s. */
export const databaseTime = async (connection: Connection): Promise<Date> =>
  (await hello(connection)).localTime as Date;

type Bound<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (first: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Returns the functions with their first argument given, for example a collection. */
export const bindTo = <
  First,
  Methods extends Readonly<Record<string, (first: First, ...rest: never[]) => unknown>>,
>(
  first: First,
  methods: Methods,
): Bound<Methods> =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, method.bind(null, first)]),
  ) as Bound<Methods>;
