// A pool of test databases, returned empty: creating a hundred indexes takes longer than most tests. A database that a crashed
// file did not return is not used again.
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionNames, isSameIndex, type StoredIndex } from '../../../src/store/db/indexes.ts';
import { migrate } from '../../../src/store/db/migrate.ts';
import { allIndexes } from '../../../src/store/stores.ts';
import { sha256 } from '../../../src/base/ids.ts';
import { dropDatabase, testMongoUrl } from './services.ts';

type Lent = {
  readonly url: string;
  /** All users of the database must have ended. */
  release(): Promise<void>;
};

type Client = InstanceType<typeof mongoose.mongo.MongoClient>;
type Row = { readonly _id: string; readonly indexes: string; readonly isFree: boolean };

const indexes = sha256(JSON.stringify(allIndexes));
/** The migration creates them, because MongoDB under Wine crashes when two connections create the same one at once. */
const migrated = new Set(['locks', 'migrations', ...collectionNames(allIndexes)]);
/** Above this number of documents, creating a database is faster than emptying one. */
const most = 20_000;

/** A database with every index and without a document; `name` says which test used it first. */
export async function leaseDatabase(name: string): Promise<Lent> {
  const client = await new mongoose.mongo.MongoClient(testMongoUrl('test_lent')).connect();
  try {
    const taken = await rowsOf(client).findOneAndUpdate(
      { indexes, isFree: true },
      { $set: { isFree: false } },
    );
    const database = taken?._id ?? `test_${name}_${randomUUID().slice(0, 8)}`;
    const url = testMongoUrl(database);
    if (!taken) {
      await prepare(url);
      await rowsOf(client).insertOne({ _id: database, indexes, isFree: false });
    }
    return { url, release: () => release(url) };
  } finally {
    await client.close();
  }
}

const rowsOf = (client: Client) => client.db('test_lent').collection<Row>('databases');

async function prepare(url: string): Promise<void> {
  const connection = await connectMongo(url);
  try {
    await migrate(connection, allIndexes);
  } finally {
    await connection.close();
  }
}

async function release(url: string): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  const database = client.db();
  const row = { _id: database.databaseName };
  try {
    if (await isClean(database)) {
      await rowsOf(client).updateOne(row, { $set: { isFree: true } });
    } else {
      await dropDatabase(url);
      await rowsOf(client).deleteOne(row);
    }
  } finally {
    await client.close();
  }
}

/** The only indexes that tests drop or change. */
async function hasEventIndexes(database: ReturnType<Client['db']>): Promise<boolean> {
  const stored = await database.collection('events').listIndexes().toArray();
  return allIndexes
    .filter(({ collection }) => collection === 'events')
    .every((spec) => stored.some((index) => isSameIndex(spec, index as StoredIndex)));
}

/** Empties it where that is quick; false when it was changed in a way that would show. */
async function isClean(database: ReturnType<Client['db']>): Promise<boolean> {
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(
    ({ name }) => name,
  );
  if (names.some((name) => name.startsWith('system.'))) return false;
  const unknown = names.filter((name) => !migrated.has(name));
  if (unknown.length > 0) throw new Error(`The migration does not create ${unknown.join(', ')}.`);
  if (!names.includes('events') || !(await hasEventIndexes(database))) return false;
  const counts = await Promise.all(
    names.map((name) => database.collection(name).estimatedDocumentCount()),
  );
  if (counts.reduce((sum, count) => sum + count, 0) > most) return false;
  await Promise.all(
    names.map(async (name, at) => {
      if (counts[at] !== 0) await database.collection(name).deleteMany({});
    }),
  );
  return true;
}
