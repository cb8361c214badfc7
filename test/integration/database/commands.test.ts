// What every command of a collection has in common: it is measured, bounded, and its errors are those that a caller acts on.
import mongoose from 'mongoose';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { collectionOf } from '../../../src/store/db/collection.ts';
import { connectMongo, inTransaction, type Connection } from '../../../src/store/db/connection.ts';
import { isDuplicateKey } from '../../../src/store/db/errors.ts';
import { observeCommands } from '../../../src/store/db/observe-commands.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

type Note = { readonly _id: string; readonly text: string };

let context: TestContext;
let connection: Connection;
const metrics = createMetrics();
const notes = () => collectionOf<Note>(connection, 'samples');

beforeAll(async () => {
  context = await createTestContext('commands');
  connection = await connectMongo(context.url);
  observeCommands(connection, metrics);
});
afterEach(() => notes().deleteMany({}));
afterAll(async () => {
  await connection.close();
  await context.close();
});

/** The number of measured commands, by `command result`. */
async function measured(): Promise<Readonly<Record<string, number>>> {
  const { values } = await metrics.mongodbSeconds.get();
  metrics.mongodbSeconds.reset();
  const counts = values.filter(({ metricName = '' }) => metricName.endsWith('_count'));
  return Object.fromEntries(
    counts.map(({ labels, value }) => [`${labels.command} ${labels.result}`, value]),
  );
}

const many = Array.from({ length: 250 }, (_none, n) => ({
  _id: `${n}`.padStart(3, '0'),
  text: '',
}));
test('a command is measured once by its kind and its result, and a list of many batches once', async () => {
  await measured();
  await notes().insertMany(many);
  await expect(notes().insertOne({ _id: '000', text: 'again' })).rejects.toThrow('E11000');
  expect(await notes().find({}, { batchSize: 100 }).toArray()).toHaveLength(250);
  expect(await notes().countDocuments()).toBe(250);
  await notes().findOneAndUpdate({ _id: '000' }, { $set: { text: 'a' } });
  expect(await measured()).toEqual({
    'insert ok': 1,
    'insert duplicate': 1,
    'find ok': 1,
    'aggregate ok': 1,
    'findAndModify ok': 1,
  });
});

test('an iteration reads all batches in order, and one that ends early closes its cursor', async () => {
  await notes().insertMany(many);
  const ids: string[] = [];
  const inOrder = { sort: { _id: 1 }, batchSize: 100 } as const;
  for await (const { _id } of notes().find({}, inOrder)) ids.push(_id);
  expect(ids).toEqual(many.map(({ _id }) => _id));
  for await (const { _id } of notes().find({}, inOrder)) if (_id === '150') break;
  const [found] = await connection
    .getClient()
    .db('admin')
    .aggregate<{ count: number }>([
      { $currentOp: { idleCursors: true } },
      { $match: { type: 'idleCursor', ns: `${connection.name}.samples` } },
      { $count: 'count' },
    ])
    .toArray();
  expect(found).toBeUndefined();
});

test('a caller that bounds a command itself ends it, also between two batches', async () => {
  await notes().insertMany(many);
  const controller = new AbortController();
  const { signal } = controller;
  const seen: string[] = [];
  const reading = async () => {
    for await (const { _id } of notes().find({}, { signal, batchSize: 100 })) {
      seen.push(_id);
      if (seen.length === 100) controller.abort(new Error('enough'));
    }
  };
  await expect(reading()).rejects.toThrow('enough');
  expect(seen).toHaveLength(100);
  await expect(notes().findOne({}, { signal })).rejects.toThrow('enough');
});

const inTransactionOf = (of: Connection, _id: string) =>
  inTransaction(of, (session) =>
    collectionOf<Note>(of, 'samples').insertOne({ _id, text: '' }, { session }),
  );

test.each<[string, (away: Connection) => Promise<unknown>]>([
  ['a write', (away) => collectionOf<Note>(away, 'samples').insertOne({ _id: 'a', text: 'a' })],
  ['a list', (away) => collectionOf<Note>(away, 'samples').find().toArray()],
  ['a transaction', (away) => inTransactionOf(away, 'b')],
  [
    'an iteration',
    async (away) => {
      for await (const _note of collectionOf<Note>(away, 'samples').find()) break;
    },
  ],
])('without a connection %s rejects with unavailable', async (_what, run) => {
  const away = await connectMongo(context.url);
  await away.close();
  await expect(run(away)).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 2_000 });
});

test('inside a transaction errors keep their labels, so that the driver repeats it', async () => {
  const { MongoServerError } = mongoose.mongo;
  const errorLabels = ['TransientTransactionError'];
  let tries = 0;
  const failing = surroundedConnection(connection, async (_name, run) => {
    tries += 1;
    if (tries === 1)
      throw new MongoServerError({ message: 'stepped down', code: 11_602, errorLabels });
    return run();
  });
  await inTransactionOf(failing, 'c');
  expect(await notes().countDocuments()).toBe(1);
  const error = await inTransactionOf(connection, 'c').catch((failure: unknown) => failure);
  expect(isDuplicateKey(error)).toBe(true);
});
