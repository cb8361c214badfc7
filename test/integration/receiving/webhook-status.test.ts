// A webhook's status decides what a request becomes: a sample, an event or a held event. And how soon a change is noticed.
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { maxSamples, type Sample, type Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { createWebhookCache } from '../../../src/receiving/webhook-cache.ts';
import { acceptRequest } from '../../../src/receiving/accept-request.ts';
import { createEffectiveMappings } from '../../../src/receiving/recording/effective-mappings.ts';
import { createReceiving, type ReceivingDeps } from '../../../src/receiving/receiving.ts';
import { createRecorder } from '../../../src/receiving/recording/recorder.ts';
import { recordSamples } from '../../../src/receiving/samples.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { aWebhook } from '../../support/context/builders.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';
import {
  getWebhook,
  markWebhookSampled,
  markWebhookPaused,
  markWebhookResumed,
  markWebhookArchived,
} from '../../../src/store/webhooks/webhooks.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('reception');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const actor = { tokenId: 'test', name: 'test' };
const events = () => collectionOf<EventRecord>(context.connection, 'events');
async function samples(id: string) {
  const all: Sample[] = [];
  for await (const sample of context.stores.samples.each(id)) all.push(sample);
  return all;
}
const queue = { hint: () => undefined };

const addDraft = () => aWebhook(context);
const addActive = () => aWebhook(context, { mapping: leadMapping });

async function activate(id: string): Promise<Webhook> {
  const { version } = valueOf(
    await insertMapping(context.stores, { webhookId: id, mapping: leadMapping }, actor),
  );
  const wanted = { version, previous: null, overlapMs: 0, actor };
  return valueOf(await activateWebhook(context.stores, id, wanted));
}

/** The receiver of one server, which counts key lookups. The test controls its time. */
function createServer(over: Partial<ReceivingDeps> = {}, ctx = context.stores) {
  let elapsedMs = 1_000;
  let lookups = 0;
  const clock = { now: () => new Date(), elapsedMs: () => elapsedMs };
  const cache = createWebhookCache({
    connection: surroundedConnection(ctx.connection, (name, run) => {
      if (name === 'keys.aggregate') lookups += 1;
      return run();
    }),
    logger: silentLogger(),
    clock,
  });
  cache.close(); // polls only when the test says so
  const receiving = createReceiving({
    ...context.stores,
    webhookCache: cache,
    clock,
    vault: createVault([]),
    mappings: createEffectiveMappings(context.newResources().bodies),
    recorder: createRecorder({ ...context.stores, queue }),
    authThrottle: {
      isOverBudget: () => false,
      watch: (_kind, _address, attempt) => attempt,
    },
    producerOf,
    ...over,
  });
  async function send(
    key: string,
    payload: object = { id: 'e1', lead: { id: 'p1', name: 'Ana' } },
  ) {
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
  expect(await getWebhook(context.stores, id)).toMatchObject({ status: 'sampled' });
  expect((await samples(id)).map(({ body }) => body.toString())).toEqual([
    '{"id":"e1","lead":{"id":"p1","name":"Ana"}}',
    '{"id":"e2"}',
  ]);
  expect(await events().countDocuments()).toBe(0);
});

test('a flood of requests before the activation stores 200 samples, is answered alike, and reads little', async () => {
  const { id, key } = await addDraft();
  let reads = 0;
  const server = createServer({
    connection: surroundedConnection(context.connection, (name, run) => {
      if (name === 'webhooks.findOne') reads += 1;
      return run();
    }),
  });
  const flood = async (count: number) => {
    const results = await Promise.all(
      Array.from({ length: count }, (_, n) => server.send(key, { id: `f${n}` })),
    );
    expect(new Set(results.map(({ mode }) => mode))).toEqual(new Set(['sample']));
  };
  await flood(200);
  expect(await samples(id)).toHaveLength(200);
  const lookups = server.lookups();
  reads = 0;
  const oldest = (await samples(id))[0]?._id;
  await flood(300);
  expect((await samples(id))[0]?._id).toBe(oldest);
  expect([server.lookups() - lookups < 5, reads < 10]).toEqual([true, true]);
  server.later(1_000);
  await server.send(key, { id: 'a second later' });
  expect((await samples(id)).at(-1)?.body.toString()).toBe('{"id":"a second later"}');
});

test('a request that is not stored as a sample becomes an event if the webhook is activated at the same time', async () => {
  const { id, key } = await addDraft();
  const { stores } = context;
  await markWebhookSampled(stores, id);
  let isActivated = false;
  const server = createServer({
    connection: surroundedConnection(context.connection, async (name, run) => {
      if (name === 'webhooks.findOne' && isActivated) {
        isActivated = false;
        await activate(id);
      }
      return run();
    }),
  });
  await Promise.all(Array.from({ length: 200 }, (_, n) => server.send(key, { id: `f${n}` })));
  isActivated = true;
  const recorded = await server.send(key, { id: 'late', lead: { id: 'p1' } });
  expect(recorded).toMatchObject({ mode: 'event', duplicate: false });
  expect(
    (await events().find({ webhookId: id }).toArray()).map(({ externalId }) => externalId),
  ).toEqual(['late']);
});

type Earlier = { readonly _id: string; readonly webhookId: string; readonly receivedAt: Date };

test('a request that is stored as a sample takes five statements, however many there are', async () => {
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  try {
    const { id, key } = await addDraft();
    const kept = collectionOf<Earlier>(context.connection, 'samples');
    const earlier = { webhookId: id, receivedAt: new Date(0) };
    const numbers = Array.from({ length: maxSamples - 2 }, (_, n) => n);
    await kept.insertMany(numbers.map((n) => ({ _id: `${id} ${n}`, ...earlier })));
    const commands: string[] = [];
    const stores = createStores(watching);
    const server = createServer({ connection: watching, samples: stores.samples }, stores);
    await server.send(key);
    watching.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
    await server.send(key);
    expect(commands.toSorted()).toEqual(['aggregate', 'find', 'find', 'find', 'insert']);
  } finally {
    await watching.close();
  }
});

test('a request to a webhook that is activated at the same time becomes a sample and an event', async () => {
  const { id, key } = await addDraft();
  const { stores } = context;
  await markWebhookSampled(stores, id);
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
  const webhook = await getWebhook(stores, id);
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
  await markWebhookPaused(context.stores, id, actor);
  const recorded = await server.send(key);
  expect(recorded).toMatchObject({ mode: 'held', duplicate: false });
  const eventId = recorded.mode === 'held' ? recorded.eventId : '';
  await context.processEvents([eventId]);
  expect((await context.stores.events.get(eventId))?.state).toBe('held');

  await markWebhookResumed(context.stores, id, actor);
  const ticker = context.newRuns();
  for (let tick = 0; tick < 2; tick += 1) await ticker.tick();
  await ticker.close();
  await context.processEvents([eventId]);
  const done = await context.stores.events.get(eventId);
  expect(done?.timeline.map(({ state }) => state)).toEqual(['held', 'received', 'done']);
});

test('an active webhook is looked up once in five seconds, any other at each request', async () => {
  const { id, key } = await addActive();
  const server = createServer();
  for (let n = 0; n < 3; n += 1) await server.send(key);
  expect(server.lookups()).toBe(1);
  server.later(5_001);
  await server.send(key);
  expect(server.lookups()).toBe(2);
  await markWebhookPaused(context.stores, id, actor);
  server.cache.invalidate(id);
  for (let n = 0; n < 3; n += 1) await server.send(key);
  expect(server.lookups()).toBe(5);
});

test.each([
  ['pausing', markWebhookPaused, { mode: 'held' }],
  ['archiving', markWebhookArchived, 'invalid_key'],
] as const)('%s in another process is noticed at the next poll', async (_how, change, expected) => {
  const { id, key } = await addActive();
  const [server, other] = [createServer(), createServer()];
  const outcome = () => server.send(key).catch((error: { code: string }) => error.code);
  await server.cache.poll();
  expect(await outcome()).toMatchObject({ mode: 'event' });
  await change(context.stores, id, actor);
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
  await markWebhookPaused(context.stores, first.id, actor);
  await markWebhookPaused(context.stores, second.id, actor);
  await server.cache.poll();
  expect(await server.send(first.key)).toMatchObject({ mode: 'held' });
});

test('the first poll notices a change, although another webhook was changed later', async () => {
  const [first, second] = [await addActive(), await addActive()];
  const server = createServer();
  await server.send(first.key);
  await markWebhookPaused(context.stores, first.id, actor);
  await markWebhookPaused(context.stores, second.id, actor);
  await server.cache.poll();
  expect(await server.send(first.key)).toMatchObject({ mode: 'held' });
});
