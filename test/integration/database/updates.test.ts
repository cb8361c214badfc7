/** Plain update commands, with a real database. */
import { collectionOf } from '../../support/services/collections.ts';
import { sendUpdates, type UpdateStatement } from '../../../src/store/db/updates.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('updates');
});
beforeEach(() =>
  counted()
    .deleteMany({})
    .then(() => undefined),
);
afterAll(() => context.close());

type Counted = { _id: string; n?: number; text?: string };
// Its index `by_hash` is unique.
const counted = () => collectionOf<Counted>(context.connection, 'keys');
const send = (statements: readonly UpdateStatement[]) =>
  sendUpdates(context.connection, 'keys', statements);
const addTo = (id: string, more: object = {}): UpdateStatement => ({
  q: { _id: id },
  u: { $inc: { n: 1 }, $set: { hash: id, ...more } },
  upsert: true,
});
const counts = async () => {
  const found = await counted()
    .find({}, { sort: { _id: 1 } })
    .toArray();
  return Object.fromEntries(found.map(({ _id, n }) => [_id, n]));
};

test('a statement that fails as a duplicate is sent again, and no other statement is', async () => {
  await send([addTo('a')]);
  const duplicate = addTo('b', { hash: 'a' });
  await expect(send([addTo('a'), duplicate, addTo('c')])).rejects.toThrow('failed with code 11000');
  expect(await counts()).toEqual({ a: 2, c: 1 });
});

test('processes that create the same document at once lose nothing', async () => {
  const ids = Array.from({ length: 40 }, (_none, index) => `id-${index}`);
  await Promise.all(Array.from({ length: 8 }, () => send(ids.map((id) => addTo(id)))));
  expect(Object.values(await counts())).toEqual(ids.map(() => 8));
});

test('statements of more than 16 MB together are sent in several commands', async () => {
  const text = 'x'.repeat(6_000_000);
  await send(['a', 'b', 'c', 'd'].map((id) => addTo(id, { text })));
  expect(await counts()).toEqual({ a: 1, b: 1, c: 1, d: 1 });
});

test('a failed statement rejects, and the others of its command are there', async () => {
  const wrong: UpdateStatement = { q: { _id: 'a' }, u: { $inc: { text: 1 } } };
  await counted().insertOne({ _id: 'a', text: 'no number' });
  await expect(send([wrong, addTo('b')])).rejects.toThrow('failed with code 14');
  expect(await counts()).toEqual({ a: undefined, b: 1 });
});
