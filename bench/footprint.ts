/**
 * What one event leaves behind: bytes of Redis while it is queued, bytes of MongoDB when it is done, and the time from its
 * answer to its outcome while the system is idle. Counts of bytes do not depend on the load of the machine.
 */
import mongoose from 'mongoose';
import { createActiveWebhook } from './data/create-webhook.ts';
import { createLead } from './data/lead.ts';
import { sendLoad, sendOne } from './load.ts';
import { printTable } from './measure/print-table.ts';
import { waitUntilProcessed } from './measure/progress.ts';
import { queuedBytes } from './measure/queued-bytes.ts';
import { quantile } from './measure/statistics.ts';
import { startServer, startWorker } from './processes.ts';

/** Many, because an index file grows by steps. BENCH_EVENTS sets another number. */
const stored = Number(process.env.BENCH_EVENTS ?? 5_000);
const queued = Math.min(stored, 1_000);
const webhooks = queued;
const idle = Math.min(stored, 200);
const atOnce = 16;
const shownFields = 12;

type Db = ReturnType<mongoose.mongo.MongoClient['db']>;
type Times = { readonly finishedAt: Date };

/** Runs `work` for each number below `count`, some at once. */
async function forEachOf(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}

type Sizes = ReadonlyMap<string, { readonly data: number; readonly indexes: number }>;

/** Returns the bytes of the documents, uncompressed, and of the indexes of each collection. */
export async function sizesOf(db: Db): Promise<Sizes> {
  // A checkpoint, after which the sizes of indexes are current.
  await db.admin().command({ fsync: 1 });
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const sizes = collections.map(async ({ name }) => {
    const { size, totalIndexSize } = await db.command({ collStats: name });
    return [name, { data: Number(size), indexes: Number(totalIndexSize) }] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** Returns a row for each collection that has grown: bytes for one event of its documents and its indexes. */
function growthOf(before: Sizes, after: Sizes) {
  return [...after]
    .map(([name, { data, indexes }]) => ({
      name,
      data: (data - (before.get(name)?.data ?? 0)) / stored,
      indexes: (indexes - (before.get(name)?.indexes ?? 0)) / stored,
    }))
    .filter(({ data, indexes }) => data + indexes >= 1)
    .toSorted((a, b) => b.data + b.indexes - a.data - a.indexes);
}

/** Returns the mean bytes of each field of a done event. */
const fieldsOf = (db: Db) =>
  db
    .collection('events')
    .aggregate<{ _id: string; bytes: number }>([
      { $match: { state: 'done' } },
      { $project: { field: { $objectToArray: '$$ROOT' } } },
      { $unwind: '$field' },
      {
        $group: {
          _id: '$field.k',
          bytes: { $avg: { $subtract: [{ $bsonSize: { $arrayToObject: [['$field']] } }, 5] } },
        },
      },
      { $sort: { bytes: -1 } },
      { $limit: shownFields },
    ])
    .toArray();

/** Resolves to the milliseconds from the answer to the outcome of single events. */
async function idleDelays(db: Db, url: string): Promise<number[]> {
  const answered: number[] = [];
  const delays: number[] = [];
  for (let number = 0; number < idle; number += 1) {
    await sendOne(url);
    answered.push(Date.now());
    while ((await db.collection('events').countDocuments({ open: true })) > 0);
  }
  const done = db.collection<Times>('events').find().sort({ finishedAt: -1 }).limit(idle);
  const ended = (await done.toArray()).map(({ finishedAt }) => +finishedAt).toReversed();
  for (const [index, time] of ended.entries()) delays.push(time - (answered[index] ?? NaN));
  return delays;
}

export async function benchFootprint(): Promise<void> {
  const server = await startServer();
  const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URL ?? '').connect();
  const db = client.db();
  const url = await createActiveWebhook(server.ready);
  await sendLoad(url, { amount: queued });
  const ofOne = (await queuedBytes()) / queued;
  const worker = await startWorker();
  await waitUntilProcessed([worker], queued);
  const before = await sizesOf(db);
  await sendLoad(url, { amount: stored });
  await waitUntilProcessed([worker], queued + stored);
  const growth = growthOf(before, await sizesOf(db));
  const delays = await idleDelays(db, url);
  await worker.stop();

  const many: string[] = [];
  await forEachOf(webhooks, async () => void many.push(await createActiveWebhook(server.ready)));
  const already = await queuedBytes();
  await forEachOf(webhooks, (number) => sendOne(many[number - 1] ?? ''));
  const ofMany = ((await queuedBytes()) - already) / webhooks;

  printTable('Redis for one event while it waits, bytes', [
    ['one webhook', `one event each of ${webhooks} webhooks`],
    [ofOne.toFixed(0), ofMany.toFixed(0)],
  ]);
  const body = Buffer.byteLength(JSON.stringify(createLead(queued)));
  const sum = (name: 'data' | 'indexes') => growth.reduce((all, one) => all + one[name], 0);
  printTable(`MongoDB for one event of a new person when it is done, body of ${body} bytes`, [
    ['', 'documents', 'indexes'],
    ...growth.map(({ name, data, indexes }) => [name, data.toFixed(0), indexes.toFixed(0)]),
    ['all', sum('data').toFixed(0), sum('indexes').toFixed(0)],
  ]);
  printTable('The largest fields of a done event', [
    ['', 'bytes'],
    ...(await fieldsOf(db)).map(({ _id, bytes }) => [_id, bytes.toFixed(0)]),
  ]);
  printTable('From the answer to the outcome, idle, ms', [
    ['p50', 'p99'],
    [quantile(delays, 0.5).toFixed(0), quantile(delays, 0.99).toFixed(0)],
  ]);
  await client.close();
  await server.stop();
}
