// A webhook's status decides what a request becomes: a sample, an event or a held event. And how soon a change is noticed.
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/observability/logger.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import { newSecret, sha256 } from '../../../src/base/ids.ts';
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
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

let world: TestContext;
beforeAll(async () => {
  world = await createTestContext('reception');
});
afterAll(() => world.close());
beforeEach(() => world.clear());

const actor = { tokenId: 'test', name: 'test' };
const events = () => collectionOf<EventRecord>(world.connection, 'events');
const samples = (id: string) => world.stores.samples.all(id);
const queue = { hint: () => undefined };

async function addDraft(): Promise<{ id: string; key: string }> {
  const key = newSecret('inlet_wk_');
  const channel = { name: 'Inbox', kind: 'inbox', settings: {} } as const;
  const { _id: channelId } = await world.stores.channels.create(channel, actor);
  const made = { name: 'Leads', channelId, producerProfile: 'generic' };
  const stored = { ...made, keyHash: sha256(key), keyLastFour: key.slice(-4) };
  return { id: (await world.stores.webhooks.create(stored, actor))._id, key };
}

async function activate(id: string): Promise<Webhook> {
  const created = await world.stores.mappings.create(id, leadMapping, actor);
  const version = created?.version ?? 0;
  const wanted = { version, previous: null, overlapMs: 0, actor };
  const webhook = await world.stores.webhooks.activate(id, wanted);
  if (!webhook) throw new Error('It was not activated.');
  return webhook;
}

async function addActive(): Promise<{ id: string; key: string }> {
  const made = await addDraft();
  await world.stores.webhooks.markSampled(made.id);
  await activate(made.id);
  return made;
}

/** The receiver of one server, which counts key lookups. The test controls its time. */
function createServer(over: Partial<ReceivingDeps> = {}) {
  let elapsedMs = 1_000;
  let lookups = 0;
  const { webhooks } = world.stores;
  const directory = createWebhookCache({
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
  directory.close(); // polls only when the test says so
  const receiving = createReceiving({
    ...world.stores,
    webhookCache: directory,
    vault: createVault([]),
    mappings: createEffectiveMappings(world.stores),
    recorder: createRecorder({ ...world.stores, queue }),
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
    directory,
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
  expect(await world.stores.webhooks.get(id)).toMatchObject({ status: 'sampled' });
  expect((await samples(id)).map(({ body }) => body.toString())).toEqual([
    '{"id":"e1","lead":{"id":"p1"}}',
    '{"id":"e2"}',
  ]);
  expect(await events().countDocuments()).toBe(0);
});

test('a request to a webhook that is activated at the same time becomes a sample and an event', async () => {
  const { id, key } = await addDraft();
  const { stores } = world;
  await stores.webhooks.markSampled(id);
  const server = createServer({
    samples: {
      add: async (sample) => {
        await stores.samples.add(sample);
        await activate(id);
      },
    },
  });
  const taken = await server.send(key);
  expect(taken).toMatchObject({ mode: 'event', duplicate: false });
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
  const { record } = createRecorder({ ...world.stores, queue });
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
  await world.stores.webhooks.pause(id, actor);
  const taken = await server.send(key);
  expect(taken).toMatchObject({ mode: 'held', duplicate: false });
  const eventId = taken.mode === 'held' ? taken.eventId : '';
  await world.processEvents([eventId]);
  expect((await world.stores.events.get(eventId))?.state).toBe('held');

  await world.stores.webhooks.resume(id, actor);
  const ticker = world.newRuns();
  for (let tick = 0; tick < 2; tick += 1) await ticker.tick();
  await ticker.close();
  await world.processEvents([eventId]);
  const done = await world.stores.events.get(eventId);
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
  await world.stores.webhooks.pause(id, actor);
  server.directory.invalidate(id);
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
  await server.directory.poll();
  expect(await outcome()).toMatchObject({ mode: 'event' });
  await world.stores.webhooks[change](id, actor);
  other.directory.invalidate(id);
  expect(await outcome()).toMatchObject({ mode: 'event' });
  await server.directory.poll();
  const noticed = await outcome();
  if (typeof expected === 'string') expect(noticed).toBe(expected);
  else expect(noticed).toMatchObject(expected);
});

test('a change is noticed at the next poll, although another webhook was changed later', async () => {
  const [first, second] = [await addActive(), await addActive()];
  const server = createServer();
  await server.send(first.key);
  await server.directory.poll();
  await world.stores.webhooks.pause(first.id, actor);
  await world.stores.webhooks.pause(second.id, actor);
  await server.directory.poll();
  expect(await server.send(first.key)).toMatchObject({ mode: 'held' });
});
