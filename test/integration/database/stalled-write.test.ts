// A command that the socket does not take: the connection closes, and the driver alone would wait for ever.
import mongoose from 'mongoose';
import { withBoundedCommands } from '../../../src/store/db/deadline.ts';
import { createProxy } from '../../support/services/proxy.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { createTestContext } from '../../support/context/test-context.ts';

/** More than the buffers of the sockets take. */
const filler = 'x'.repeat(15_000_000);

type Notes = mongoose.mongo.Collection<{ text: string }>;
const tooLarge = { text: { $ne: filler } };

test.each<[string, (notes: Notes) => Promise<unknown>]>([
  ['insert', (notes) => notes.insertOne({ text: filler })],
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
  const client = await new mongoose.mongo.MongoClient(url.href, {
    directConnection: true,
    retryWrites: false,
    socketTimeoutMS: 300,
  }).connect();
  let inUse = 0;
  client.on('connectionCheckedOut', () => (inUse += 1));
  client.on('connectionCheckedIn', () => (inUse -= 1));
  const notes = withBoundedCommands(client.db().collection<{ text: string }>('samples'), 2_000);
  const stored = context.connection.collection('samples');
  await stored.insertOne({ text: 'a' });
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
  await client.close();
  await proxy.close();
  await context.close();
});
