// Promise 4: the queue is a hint. Without Redis producers still get 200 and the server is ready. Events acknowledged
// without Redis, and events whose jobs Redis lost, are processed once Redis is available again.
import { Redis } from 'ioredis';
import { leadMapping } from '../support/context/test-context.ts';
import { createDeployment, type Deployment } from '../support/processes/roles.ts';
import { startRedis, type TestServer } from '../support/services/services.ts';
import { waitForValue, type Webhook } from '../support/processes/client.ts';

let redis: TestServer;
let inlet: Deployment;
let webhook: Webhook;
let isReady: () => Promise<unknown>;

beforeAll(async () => {
  redis = await startRedis();
  inlet = await createDeployment('hint', { env: { REDIS_URL: redis.url } });
  const server = await inlet.start('server');
  isReady = () => becomesReady(server.opsUrl);
  webhook = await inlet.client.addActiveWebhook(leadMapping);
});
/** A process that is held up answers its checks late, and counts as not ready for a moment. */
const becomesReady = (opsUrl: string) =>
  waitForValue('it is ready', async () =>
    (await fetch(`${opsUrl}/readyz`)).status === 200 ? true : undefined,
  );

afterAll(async () => {
  await inlet.close();
  await redis.close();
});

let count = 0;
async function send(): Promise<string> {
  const n = (count += 1);
  const { status, data } = await inlet.client.deliverPatiently(webhook.key, {
    id: `e${n}`,
    text: `hello ${n}`,
    lead: { name: `Person ${n}`, phone: `+55 11 9${70_000_000 + n}` },
  });
  expect(status).toBe(200);
  expect(data.success).toBe(true);
  return data.eventId ?? '';
}

const sendFive = () => Promise.all([1, 2, 3, 4, 5].map(send));

async function expectDone(ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await inlet.client.settled(id)).state).toBe('done');
  const messages = inlet.db.collection<{ _id: string }>('messages');
  expect(await messages.countDocuments({ _id: { $in: [...ids] } })).toBe(ids.length);
}

test('without Redis every event is answered and the server is ready; afterwards all are processed', async () => {
  await redis.stop();
  const whileRunning = await sendFive();
  await isReady();

  const late = await inlet.start('server');
  const afterStart = await sendFive();
  await becomesReady(late.opsUrl);

  const worker = inlet.launch('worker');
  await redis.start();
  await worker.ready;
  await expectDone([...whileRunning, ...afterStart]);
  expect(await worker.stop()).toBe(0);
  expect(await late.stop()).toBe(0);
  await inlet.start('server');
});

test('answers are not delayed while Redis hangs', async () => {
  redis.pause();
  try {
    // A command without an answer of Redis fails after five seconds: twenty of them in sequence would exceed the
    // timeout of this test.
    for (let n = 0; n < 20; n += 1) await send();
    await isReady();
  } finally {
    redis.resume();
  }
});

test('events whose jobs were deleted from Redis are processed', async () => {
  const ids = await sendFive();
  const client = new Redis(redis.url);
  try {
    const waiting = `${inlet.prefix}:process-events:prioritized`;
    await waitForValue('a job waits', async () =>
      (await client.zcard(waiting)) > 0 ? true : undefined,
    );
    await client.flushall();
    const worker = await inlet.start('worker');
    await expectDone(ids);
    expect(await worker.stop()).toBe(0);
  } finally {
    client.disconnect();
  }
});

test('a server without Redis shuts down gracefully', async () => {
  const server = await inlet.start('server');
  await redis.stop();
  expect(await server.stop()).toBe(0);
});
