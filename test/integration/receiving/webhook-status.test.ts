// A webhook's status decides what a request becomes: a sample, an event or a held event. And how soon a change is noticed.
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { createWebhookCache } from '../../../src/receiving/webhook-cache.ts';
import { acceptRequest } from '../../../src/receiving/accept-request.ts';
import { createEffectiveMappings } from '../../../src/receiving/effective-mappings.ts';
import { createReceiving, type ReceivingDeps } from '../../../src/receiving/receiving.ts';
import { createRecorder } from '../../../src/receiving/recorder.ts';
import { recordSamples } from '../../../src/receiving/samples.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import { aWebhook } from '../../support/context/builders.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('reception');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const actor = { tokenId: 'test', name: 'test' };
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const samples = (id: string) => context.stores.samples.all(id);
const queue = { hint: () => undefined };

const addDraft = () => aWebhook(context);
const addActive = () => aWebhook(context, { mapping: leadMapping });

async function activate(id: string): Promise<Webhook> {
  const { version } = valueOf(await context.stores.mappings.create(id, leadMapping, actor));
  const wanted = { version, previous: null, overlapMs: 0, actor };
  return valueOf(await context.stores.webhooks.activate(id, wanted));
}

/** The receiver of one server, which counts key lookups. The test controls its time. */
function createServer(over: Partial<ReceivingDeps> = {}) {
  let elapsedMs = 1_000;
  let lookups = 0;
  const { webhooks } = context.stores;
  const cache = createWebhookCache({
    webhooks: {
      changedSince: (since) => webhooks.changedSince(since),
      findByKeyHash: (hash, now) => {
        lookups += 1;
        return webhooks.findByKeyHash(hash, now);
      },
    },
    logger: silentLogger(),
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
  });
  cache.close(); // polls only when the test says so
  const receiving = createReceiving({
    ...context.stores,
    webhookCache: cache,
    vault: createVault([]),
    mappings: createEffectiveMappings(context.stores),
    recorder: createRecorder({ ...context.stores, queue }),
    authThrottle: { watch: (_kind, _address, attempt) => attempt },
    producerOf,
    ...over,
  });
  async function send(key: string, payload: object = { id: 'e1', lead: { id: 'p1' } }) {
    const body = Buffer.from(JSON.stringify(payload));
    const accepted = await acceptRequest(receiving, {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      query: '',
      url: () => 'http://localhost/v1/webhook/key',
      clientAddress: () => '127.0.0.1',
      readBody: () => Promise.resolve(body),
      log: {},
    });
    return accepted.result;
  }
  return {
    cache,
    receiving,
    send,
    lookups: () => lookups,
    later: (ms: number) => (elapsedMs += ms),
  };
}

test('a request before the activation is a sample: the first changes the status, none is processed', async () => {
  const { id, key } = await addDraft();
  const server = createServer();
  expect(await server.send(key)).toEqual({ mode: 'sample' });
  expect(await server.send(key, { id: 'e2' })).toEqual({ mode: 'sample' });
  expect(await context.stores.webhooks.get(id)).toMatchObject({ status: 'sampled' });
  expect((await samples(id)).map(({ body }) => body.toString())).toEqual([
    '{"id":"e1","lead":{"id":"p1"}}',
    '{"id":"e2"}',
  ]);
  expect(await events().countDocuments()).toBe(0);
});

test('a request to a webhook that is activated at the same time becomes a sample and an event', async () => {
  const { id, key } = await addDraft();
  const { stores } = context;
  await stores.webhooks.markSampled(id);
  const server = createServer({
    samples: {
      add: async (sample) => {
        await stores.samples.add(sample);
        await activate(id);
      },
    },
  });
  const recorded = await server.send(key);
  expect(recorded).toMatchObject({ mode: 'event', duplicate: false });
  expect(await samples(id)).toHaveLength(1);
  const webhook = await stores.webhooks.get(id);
  if (!webhook) throw new Error('The webhook is gone.');
  // Recording the samples at activation creates no second event.
  expect(await recordSamples(server.receiving, await samples(id), webhook)).toBe(0);
  expect(await events().countDocuments()).toBe(1);
});

test('samples are recorded as events once, by any number of calls and servers', async () => {
  const { id, key } = await addDraft();
  const server = createServer();
  for (let n = 0; n < 3; n += 1) await server.send(key, { lead: { id: `p${n}` } });
  await server.send(key, [{ lead: { id: 'in a list' } }] as object);
  const webhook = await activate(id);
  const kept = await samples(id);
  const counts = await Promise.all(
    [createServer(), createServer(), server].map((one) =>
      recordSamples(one.receiving, kept, webhook),
    ),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(await events().countDocuments()).toBe(3);
});

test('after a failure halfway, the next call records the remaining samples, each once', async () => {
  const { id, key } = await addDraft();
  const server = createServer();
  for (let n = 0; n < 4; n += 1) await server.send(key, { id: `s${n}`, lead: { id: `p${n}` } });
  const webhook = await activate(id);
  const kept = await samples(id);
  const { record } = createRecorder({ ...context.stores, queue });
  const stored: Promise<unknown>[] = [];
  const failing = createServer({
    recorder: {
      record: (event) => {
        if (stored.length === 2) return Promise.reject(new AppError('unavailable'));
        const storing = record(event);
        stored.push(storing);
        return storing;
      },
    },
  });
  await expect(recordSamples(failing.receiving, kept, webhook)).rejects.toMatchObject({
    code: 'unavailable',
  });
  await Promise.all(stored);
  expect(await recordSamples(server.receiving, kept, webhook)).toBe(2);
  expect(await recordSamples(server.receiving, kept, webhook)).toBe(0);
  const found = await events().find({ webhookId: id }).toArray();
  expect(new Set(found.map(({ externalId }) => externalId))).toEqual(
    new Set(['s0', 's1', 's2', 's3']),
  );
  expect(found.map(({ deliveries }) => deliveries)).toEqual([1, 1, 1, 1]);
  expect(found.map(({ receivedAt }) => receivedAt)).toEqual(
    expect.arrayContaining(kept.map(({ receivedAt }) => receivedAt)),
  );
});

test('while a webhook is paused events are held, and processed after the resume', async () => {
  const { id, key } = await addActive();
  const server = createServer();
  await context.stores.webhooks.pause(id, actor);
  const recorded = await server.send(key);
  expect(recorded).toMatchObject({ mode: 'held', duplicate: false });
  const eventId = recorded.mode === 'held' ? recorded.eventId : '';
  await context.processEvents([eventId]);
  expect((await context.stores.events.get(eventId))?.state).toBe('held');

  await context.stores.webhooks.resume(id, actor);
  const ticker = context.newRuns();
  for (let tick = 0; tick < 2; tick += 1) await ticker.tick();
  await ticker.close();
  await context.processEvents([eventId]);
  const done = await context.stores.events.get(eventId);
  expect(done?.timeline.map(({ state }) => state)).toEqual([
    'held',
    'received',
    'processing',
    'done',
  ]);
});

test('an active webhook is looked up once in five seconds, any other at each request', async () => {
  const { id, key } = await addActive();
  const server = createServer();
  for (let n = 0; n < 3; n += 1) await server.send(key);
  expect(server.lookups()).toBe(1);
  server.later(5_001);
  await server.send(key);
  expect(server.lookups()).toBe(2);
  await context.stores.webhooks.pause(id, actor);
  server.cache.invalidate(id);
  for (let n = 0; n < 3; n += 1) await server.send(key);
  expect(server.lookups()).toBe(5);
});

test.each([
  ['pausing', 'pause', { mode: 'held' }],
  ['archiving', 'archive', 'invalid_key'],
] as const)('%s in another process is noticed at the next poll', async (_how, change, expected) => {
  const { id, key } = await addActive();
  const [server, other] = [createServer(), createServer()];
  const outcome = () => server.send(key).catch((error: { code: string }) => error.code);
  await server.cache.poll();
  expect(await outcome()).toMatchObject({ mode: 'event' });
  await context.stores.webhooks[change](id, actor);
  other.cache.invalidate(id);
  expect(await outcome()).toMatchObject({ mode: 'event' });
  await server.cache.poll();
  const noticed = await outcome();
  if (typeof expected === 'string') expect(noticed).toBe(expected);
  else expect(noticed).toMatchObject(expected);
});

test('a change is noticed at the next poll, although another webhook was changed later', async () => {
  const [first, second] = [await addActive(), await addActive()];
  const server = createServer();
  await server.send(first.key);
  await server.cache.poll();
  await context.stores.webhooks.pause(first.id, actor);
  await context.stores.webhooks.pause(second.id, actor);
  await server.cache.poll();
  expect(await server.send(first.key)).toMatchObject({ mode: 'held' });
});
