// A pool of test databases, returned empty: creating a hundred indexes takes longer than most tests. A database that a crashed
// file did not return is not used again. A process lends by one client, because each client has several connections, and each
// connection is a thread of MongoDB. Tests have clients of their own, so that nothing of one test reaches the next.
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { formatVersion } from '../../../src/domain/format-version.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionNames, isSameIndex, type StoredIndex } from '../../../src/store/db/indexes.ts';
import { migrate } from '../../../src/store/db/migrate.ts';
import { allIndexes } from '../../../src/store/all-indexes.ts';
import { sha256 } from '../../../src/base/ids.ts';
import { databaseOfRun, testMongoUrl } from './services.ts';

type Lent = {
  readonly url: string;
  /** All users of the database must have ended. */
  release(): Promise<void>;
};

type Client = InstanceType<typeof mongoose.mongo.MongoClient>;
type Database = ReturnType<Client['db']>;
type Row = { readonly _id: string; readonly indexes: string; readonly isFree: boolean };

const indexes = sha256(JSON.stringify(allIndexes));
/** The migration creates them, because MongoDB under Wine crashes when two connections create the same one at once. */
const migrated = new Set(['sets', 'locks', 'migrations', ...collectionNames(allIndexes)]);
/** Above this number of documents, creating a database is faster than emptying one. */
const most = 20_000;

const idleMs = 300;
let opened: Client | undefined;
let users = 0;
let closing: NodeJS.Timeout | undefined;

/** Runs `work` with the client that lends and empties; a process that uses it no more can end. */
async function withLender<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  clearTimeout(closing);
  users += 1;
  // The driver connects at the first command.
  const client = (opened ??= new mongoose.mongo.MongoClient(testMongoUrl(databaseOfRun('lent'))));
  try {
    return await work(client);
  } finally {
    users -= 1;
    if (users === 0) closing = setTimeout(closeLender, idleMs);
  }
}

function closeLender(): void {
  void opened?.close();
  opened = undefined;
}

const rowsOf = (client: Client) => client.db(databaseOfRun('lent')).collection<Row>('databases');

/** A database with every index and no document but that of its format; `name` says which test used it first. */
export const leaseDatabase = (name: string): Promise<Lent> =>
  withLender((client) => lease(client, name));

async function lease(client: Client, name: string): Promise<Lent> {
  const taken = await rowsOf(client).findOneAndUpdate(
    { indexes, isFree: true },
    { $set: { isFree: false } },
  );
  const database = taken?._id ?? databaseOfRun(`${name}_${randomUUID().slice(0, 8)}`);
  const url = testMongoUrl(database);
  if (!taken) {
    await prepare(url);
    await rowsOf(client).insertOne({ _id: database, indexes, isFree: false });
  }
  const migrations = client.db(database).collection<{ _id: string }>('migrations');
  await migrations.insertOne({ _id: 'format', formatVersion, release: 'test' } as never);
  return { url, release: () => withLender((its) => release(its, database)) };
}

async function prepare(url: string): Promise<void> {
  const connection = await connectMongo(url);
  try {
    await migrate(connection, allIndexes);
  } finally {
    await connection.close();
  }
}

async function release(client: Client, name: string): Promise<void> {
  const database = client.db(name);
  if (await isClean(database)) {
    await rowsOf(client).updateOne({ _id: name }, { $set: { isFree: true } });
  } else {
    await database.dropDatabase();
    await rowsOf(client).deleteOne({ _id: name });
  }
}

/** The only indexes that tests drop or change. */
async function hasEventIndexes(database: Database): Promise<boolean> {
  const stored = await database.collection('events').listIndexes().toArray();
  return allIndexes
    .filter(({ collection }) => collection === 'events')
    .every((spec) => stored.some((index) => isSameIndex(spec, index as StoredIndex)));
}

/** Empties it where that is quick; false when it was changed in a way that would show. */
async function isClean(database: Database): Promise<boolean> {
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(
    ({ name }) => name,
  );
  if (names.some((name) => name.startsWith('system.'))) return false;
  const unknown = names.filter((name) => !migrated.has(name));
  if (unknown.length > 0) throw new Error(`The migration does not create ${unknown.join(', ')}.`);
  if (!names.includes('events') || !(await hasEventIndexes(database))) return false;
  const filled = await filledCollections(database, names);
  if (filled.reduce((sum, { count }) => sum + count, 0) > most) return false;
  await empty(
    database,
    filled.map(({ name }) => name),
  );
  return true;
}

type Filled = { readonly name: string; readonly count: number };

/** The collections with documents, by one command. */
async function filledCollections(database: Database, names: readonly string[]): Promise<Filled[]> {
  const [first = '', ...others] = names;
  const countOf = (name: string) => [
    { $collStats: { count: {} } },
    { $match: { count: { $gt: 0 } } },
    { $project: { _id: 0, name, count: 1 } },
  ];
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: countOf(coll) } }));
  const pipeline = [...countOf(first), ...unions];
  return database.collection(first).aggregate<Filled>(pipeline).toArray();
}

/** A majority has the last deletion only after those before it. */
async function empty(database: Database, names: readonly string[]): Promise<void> {
  const [last, ...others] = names;
  const writeConcern = { w: 1 };
  await Promise.all(
    others.map((name) => database.collection(name).deleteMany({}, { writeConcern })),
  );
  if (last !== undefined) await database.collection(last).deleteMany({});
}
