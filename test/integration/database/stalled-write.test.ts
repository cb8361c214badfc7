// A command that the socket does not take: the connection closes, and the driver alone would wait for ever.
import mongoose from 'mongoose';
import { Collection } from '../../../src/store/db/collection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createProxy } from '../../support/services/proxy.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { createTestContext } from '../../support/context/test-context.ts';

/** More than the buffers of the sockets take. */
const filler = 'x'.repeat(15_000_000);

type Notes = Collection<{ _id: string; text: string }>;
const tooLarge = { text: { $ne: filler } };

test.each<[string, (notes: Notes) => Promise<unknown>]>([
  ['insert', (notes) => notes.insertOne({ _id: 'b', text: filler })],
  ['query', (notes) => notes.find(tooLarge).toArray()],
  [
    'query that is iterated',
    async (notes) => {
      for await (const _note of notes.find(tooLarge)) break;
    },
  ],
])('%s: it ends although its connection closed before the socket took it', async (_what, run) => {
  const context = await createTestContext('stalled_write');
  const url = new URL(context.url);
  const proxy = await createProxy(Number(url.port));
  url.port = String(proxy.port);
  const connection = await mongoose
    .createConnection(url.href, {
      directConnection: true,
      retryWrites: false,
      socketTimeoutMS: 300,
    })
    .asPromise();
  const client = connection.getClient();
  let inUse = 0;
  client.on('connectionCheckedOut', () => (inUse += 1));
  client.on('connectionCheckedIn', () => (inUse -= 1));
  const notes: Notes = new Collection(connection, 'samples', 2_000);
  const stored = collectionOf<{ _id: string; text: string }>(context.connection, 'samples');
  await stored.insertOne({ _id: 'a', text: 'a' });
  /** The limit of the socket is short for a busy machine: what fails is tried again. */
  const counted = () => waitForValue('an answer', () => notes.countDocuments());
  expect(await counted()).toBe(1);

  proxy.stall(['up', 'down']);
  const failure = await run(notes).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'unavailable' });
  expect(inUse).toBe(0);

  proxy.heal();
  expect(await waitForValue('an answer', () => notes.find().toArray())).toHaveLength(1);
  expect(await counted()).toBe(1);
  await connection.close();
  await proxy.close();
  await context.close();
});
