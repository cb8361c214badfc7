// Promise 1: an event that was answered with 200 is stored. It is processed even if any process is killed right after
// the answer.
import { setTimeout as pause } from 'node:timers/promises';
import { leadMapping } from '../support/context/test-context.ts';
import { createDeployment, type Deployment, type Role } from '../support/processes/roles.ts';
import { startMongo } from '../support/services/services.ts';

jest.setTimeout(240_000);

let inlet: Deployment;
beforeEach(async () => {
  inlet = await createDeployment('acknowledged');
});
afterEach(() => inlet.close());

const lead = (n: number) => ({
  id: `e${n}`,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${n}`,
  lead: { id: `crm-${n}`, name: `Person ${n}`, phone: `+55 11 9${70_000_000 + n}` },
});

/**
 * Sends without pause and kills the server as soon as it has given the wanted number of answers, while other requests
 * are in progress. Returns the acknowledged ids.
 */
async function sendUntilKilled(server: Role, { key, wanted }: { key: string; wanted: number }) {
  const acknowledged: string[] = [];
  let killed: Promise<void> | undefined;
  const senders = wanted * 3;
  const sends = Array.from({ length: senders }, async (_, sender) => {
    // A server that is held up rejects events: others follow until it has acknowledged enough.
    for (let n = sender; server.isRunning() && !killed; n += senders) {
      const answer = await inlet.client.deliver(key, lead(n)).catch(() => undefined);
      if (answer?.status !== 200 || answer.data.eventId === undefined) continue;
      acknowledged.push(answer.data.eventId);
      if (acknowledged.length === wanted) killed = server.kill();
    }
  });
  await Promise.all(sends);
  await killed;
  expect(server.isRunning()).toBe(false);
  expect(acknowledged.length).toBeGreaterThanOrEqual(wanted);
  return acknowledged;
}

async function expectProcessed(acknowledged: readonly string[]): Promise<void> {
  for (const id of acknowledged) {
    expect(await inlet.client.settled(id)).toMatchObject({ state: 'done', deliveries: 1 });
  }
  const messages = inlet.db.collection<{ _id: string }>('messages');
  const found = await messages.find({ _id: { $in: [...acknowledged] } }).toArray();
  expect(found).toHaveLength(acknowledged.length);
}

test('events acknowledged right before the server and the worker are killed are all processed', async () => {
  const server = await inlet.start('server');
  const worker = await inlet.start('worker');
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const acknowledged = await sendUntilKilled(server, { key, wanted: 20 });
  await worker.kill();
  await inlet.start('server');
  await inlet.start('worker');
  await expectProcessed(acknowledged);
});

test('events acknowledged while no worker ran, and whose queue is lost, are all processed', async () => {
  const server = await inlet.start('server');
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const acknowledged = await sendUntilKilled(server, { key, wanted: 20 });
  // Another prefix is an empty queue: only the stored records contain these events.
  const empty = { INLET_QUEUE_PREFIX: `${inlet.prefix}_empty` };
  await inlet.start('worker', empty);
  await inlet.start('server', empty);
  await expectProcessed(acknowledged);
});

// MongoDB accepts connections, stores nothing, and is then killed: an answer before the write would be wrong.
test('nothing is acknowledged that MongoDB has not stored when it is killed', async () => {
  const mongo = await startMongo();
  const own = await createDeployment('acknowledged', { env: { MONGODB_URL: mongo.url } });
  const acknowledged: string[] = [];
  async function send(key: string, n: number, deliver = own.client.deliver): Promise<void> {
    const { status, data } = await deliver(key, lead(n));
    if (status === 200) acknowledged.push(data.eventId ?? '');
  }
  try {
    await own.start('server');
    const { key } = await own.client.addActiveWebhook(leadMapping);
    const { deliverPatiently } = own.client;
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(key, n, deliverPatiently)));
    expect(acknowledged).toHaveLength(20);
    mongo.pause();
    const waiting = Array.from({ length: 20 }, (_, n) => send(key, 100 + n));
    await pause(1_000);
    await mongo.kill();
    await Promise.all(waiting);
    await mongo.start();
    await own.start('worker');
    for (const id of acknowledged) {
      expect(await own.client.settled(id)).toMatchObject({ state: 'done' });
    }
  } finally {
    await own.close();
    await mongo.close();
  }
});
