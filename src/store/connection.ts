/**
 * MongoDB: the connection, and the concerns under which everything is written and decided.
 *
 * Promises: a write is answered only when a majority has it in its journal; a read that decides an effect sees only
 * what a majority has. Every wait has an end, so that a silent database becomes an error and not a hang.
 */
import mongoose from 'mongoose';

export type Connection = mongoose.Connection;

export const durable = { writeConcern: { w: 'majority', j: true, wtimeoutMS: 10_000 } } as const;
export const decisive = { readConcern: { level: 'majority' } } as const;

export type IndexSpec = {
  readonly collection: string;
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly where?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
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

/** Whether a primary answers within two seconds. */
export async function isWritable(connection: Connection): Promise<boolean> {
  try {
    const hello = await connection
      .getClient()
      .db('admin')
      .command({ hello: 1 }, { timeoutMS: 2_000 });
    return hello.isWritablePrimary === true;
  } catch {
    return false;
  }
}

/** What the primary's clock shows. */
export async function databaseTime(connection: Connection): Promise<Date> {
  const hello = await connection
    .getClient()
    .db('admin')
    .command({ hello: 1 }, { timeoutMS: 2_000 });
  return hello.localTime as Date;
}
