// Real processes with a Redis of their own: the effect of each fault on events, readiness and processes.
import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { runFor, waitForValue, type Webhook } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startMongo, startRedis, type TestServer } from '../../support/services/services.ts';
import { leadMapping } from '../../support/context/test-context.ts';

// Processes that start, drain and recover take longest on a busy machine.
jest.setTimeout(300_000);

let redis: TestServer;
let admin: Redis;
let inlet: Deployment;
let webhook: Webhook;
beforeAll(async () => {
  redis = await startRedis();
  admin = new Redis(redis.url);
  admin.on('error', () => undefined);
  inlet = await createDeployment('faults', { env: { REDIS_URL: redis.url } });
  await inlet.start('server');
  webhook = await inlet.client.addActiveWebhook(leadMapping);
});
afterAll(async () => {
  admin.disconnect();
  await inlet.close();
  await redis.close();
});

let count = 0;
async function send(): Promise<string> {
  const n = (count += 1);
  const { status, data } = await inlet.client.deliverPatiently(webhook.key, {
    id: `e${n}`,
    text: `hello ${n}`,
    lead: { name: `Person ${n}`, phone: `+55 11 9${71_000_000 + n}` },
  });
  expect(status).toBe(200);
  return data.eventId ?? '';
}
const sendMany = (howMany: number) => Promise.all(Array.from({ length: howMany }, send));

async function expectDoneOnce(ids: readonly string[]): Promise<void> {
  const events = inlet.db.collection<{ _id: string; state: string }>('events');
  const isOpen = () => events.findOne({ _id: { $in: [...ids] }, open: true });
  await waitForValue('all have ended', async () => ((await isOpen()) === null ? true : undefined));
  expect(await events.countDocuments({ _id: { $in: [...ids] }, state: 'done' })).toBe(ids.length);
  const messages = inlet.db.collection<{ _id: string }>('messages');
  expect(await messages.countDocuments({ _id: { $in: [...ids] } })).toBe(ids.length);
}

test('a worker fails to start on a Redis with eviction, with a message; the server still receives', async () => {
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  try {
    const worker = inlet.launch('worker');
    await expect(worker.ready).rejects.toThrow('allkeys-lru');
    expect(await worker.ended).toBe(78);
    await send();
  } finally {
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
  }
});

/** Resolves to a stuck worker and what it answers in the two seconds before it ends. Starts another one when they were missed. */
async function seeStuck() {
  for (;;) {
    const worker = await inlet.start('worker', { INLET_LIVENESS_MS: '8000' });
    const sick = await waitForValue('it is not alive', async () => {
      if (!worker.isRunning()) return null;
      const response = await fetch(`${worker.opsUrl}/healthz`);
      return response.status === 503 ? ((await response.json()) as object) : undefined;
    });
    if (sick !== null) return { worker, sick };
    expect(await worker.ended).toBe(70);
  }
}

test('a worker that takes no jobs although some wait exits with 70, with a message', async () => {
  const queue = new Queue('process-events', {
    connection: { url: redis.url },
    prefix: inlet.prefix,
  });
  await queue.pause();
  try {
    await send();
    const { worker, sick } = await seeStuck();
    expect(sick).toMatchObject({ ok: false, reasons: [expect.stringContaining('none is taken')] });
    expect(await worker.ended).toBe(70);
    expect(worker.output()).toContain('worker.stuck');
  } finally {
    await queue.resume();
    await queue.close();
  }
});

test('a worker that shuts down under load loses no event and wastes no attempt', async () => {
  // A worker that the machine holds up keeps its sets.
  const lease = { INLET_LEASE_MS: '60000' };
  const first = await inlet.start('worker', lease);
  const sent = await sendMany(300);
  expect(await first.stop()).toBe(0);
  const events = inlet.db.collection<{ _id: string; state: string; attempts: number }>('events');
  expect(await inlet.db.collection('sets').countDocuments()).toBe(0);
  const second = await inlet.start('worker', lease);
  await expectDoneOnce(sent);
  expect(await events.countDocuments({ _id: { $in: sent }, attempts: { $ne: 1 } })).toBe(0);
  expect(await second.stop()).toBe(0);
});

test('processes shut down while Redis hangs', async () => {
  const worker = await inlet.start('worker');
  const server = await inlet.start('server');
  redis.pause();
  try {
    await send();
    const ended = Promise.all([worker.stop(), server.stop()]);
    await expect(Promise.race([ended, runFor(27_000).then(() => 'too late')])).resolves.toEqual([
      0, 0,
    ]);
  } finally {
    redis.resume();
    await inlet.start('server');
  }
});

/** Sends two signals at once and another one later. Null when the worker had shut down before the later one. */
async function signalThrice() {
  const worker = await inlet.start('worker');
  redis.pause(); // the drain has something to wait for
  try {
    worker.signal('SIGTERM');
    worker.signal('SIGTERM');
    const hasSaid = (what: string) => worker.output().includes(what) || undefined;
    await waitForValue('it drains', () => hasSaid('process.draining'));
    await pause(1_200);
    const hasSurvived = worker.isRunning() || hasSaid('process.stopped') === true;
    worker.signal('SIGTERM');
    const exitCode = await worker.ended;
    return hasSaid('process.stopped') ? null : { hasSurvived, exitCode };
  } finally {
    redis.resume();
  }
}

test('two signals at once count as one; a later one ends the process immediately', async () => {
  let end = await signalThrice();
  for (let again = 0; again < 3 && end === null; again += 1) end = await signalThrice();
  expect(end).toEqual({ hasSurvived: true, exitCode: 1 });
});

test('processes shut down while MongoDB hangs', async () => {
  const mongo = await startMongo();
  const other = await createDeployment('hung', { env: { MONGODB_URL: mongo.url } });
  try {
    const server = await other.start('server');
    const worker = await other.start('worker');
    mongo.pause();
    const ended = Promise.all([worker.stop(), server.stop()]);
    const late = runFor(27_000).then(() => 'too late');
    await expect(Promise.race([ended, late])).resolves.not.toBe('too late');
  } finally {
    mongo.resume();
    await other.close();
    await mongo.close();
  }
});
