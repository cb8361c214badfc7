// Promise 6: the path key is in no log, metric, error, queue or database field, for any use by a producer, a proxy or an
// attacker: as it is, percent-encoded or JSON-escaped. Only its SHA-256 and its last four characters are stored. The same holds for the admin token.
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import { leadMapping } from '../support/context/test-context.ts';
import { adminToken, createDeployment, type Deployment } from '../support/processes/roles.ts';
import { waitForValue, type Webhook } from '../support/processes/client.ts';

let inlet: Deployment;
let webhook: Webhook;
let opsUrls: string[] = [];
/** All answers to producers. */
const answers: string[] = [];

// The mapping reads as many values as possible into the effects.
const curious: MappingDocument = {
  ...leadMapping,
  context: {
    origin: { path: 'origin' },
    campaign: { header: 'Referer' },
    fields: {
      original: { header: 'X-Original-Uri' },
      forwarded: { header: 'X-Forwarded-Uri' },
      back: { query: 'back' },
      own: { query: 'key' },
      note: { path: 'note' },
    },
  },
};

/** Both halves of the key: without its prefix, or with an encoded prefix, the key is still secret. */
const secretsOf = (key: string) => [key, key.replace('inlet_wk_', '')];

beforeAll(async () => {
  inlet = await createDeployment('leaks', { env: { LOG_LEVEL: 'trace' } });
  const [server, worker] = [await inlet.start('server'), await inlet.start('worker')];
  opsUrls = [server.opsUrl, worker.opsUrl];
  webhook = await inlet.client.addWebhook();
  await abuse('sample');
  await inlet.client.activate(webhook.id, curious);
  await abuse('event');
  await waitForValue('every event has ended', async () => {
    const events = inlet.db.collection('events');
    const open = await events.countDocuments({ open: true });
    return open === 0 && (await events.countDocuments()) > 5 ? true : undefined;
  });
  await waitForValue('rejections are kept', async () =>
    (await inlet.db.collection('rejections').countDocuments()) > 2 ? true : undefined,
  );
  await inlet.client.call('listWebhookRejections', { params: { id: webhook.id } });
  await inlet.client.call('listWebhookSamples', { params: { id: webhook.id } });
  await inlet.client.call('listEvents', {});
});
afterAll(() => inlet.close());

type Init = { method?: string; body?: string | undefined; headers?: Record<string, string> };

async function post(target: string, init: Init = {}): Promise<number> {
  const response = await fetch(new URL(target, webhook.url), {
    method: 'POST',
    body: '{}',
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });
  answers.push(JSON.stringify([...response.headers]), await response.text());
  // The server was held up: the request comes again.
  return response.status === 503 ? post(target, init) : response.status;
}

const encoded = (text: string) =>
  Array.from(Buffer.from(text))
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');

/** Sends the key in every place in which senders are known to put it. */
async function abuse(id: string): Promise<void> {
  const { key } = webhook;
  const path = `/v1/webhook/${key}`;
  // Each is another person, so that the text of each event is in a separate chat.
  const body = (n: number, more: object = {}) =>
    JSON.stringify({ id: `${id}-${n}`, text: 'hello', lead: { id: `crm-${n}` }, ...more });
  const underscored = key.replaceAll('_', '%5F');

  expect(await post(path, { body: body(1) })).toBe(200);
  expect(await post(`/v1/webhook/${encoded(key)}`, { body: body(2) })).toBe(200);
  expect(await post(`${path}?key=${key}&back=https://x${path}`, { body: body(3) })).toBe(200);
  expect(await post(`${path}?key=${encoded(key)}`, { body: body(4) })).toBe(200);
  expect(
    await post(path, {
      body: body(5),
      headers: { Referer: webhook.url, 'X-Original-Uri': path, 'X-Forwarded-Uri': `${path}?a=1` },
    }),
  ).toBe(200);
  expect(
    await post(`/v1/webhook/${underscored}`, {
      body: body(6),
      headers: {
        Referer: `http://crm.example/v1/webhook/${underscored}`,
        'X-Original-Uri': `/v1/webhook/${underscored}`,
        'X-Forwarded-Uri': `/v1/webhook/${encoded(key)}`,
      },
    }),
  ).toBe(200);
  const typed = { 'content-type': `application/json; boundary=${key}` };
  expect(await post(path, { body: body(10), headers: typed })).toBe(200);
  const mentions = { text: webhook.url, note: `to ${webhook.url}`, origin: key, [key]: 'name' };
  expect(await post(path, { body: body(7, mentions) })).toBe(200);
  // A JSON encoder may write any character of a text as an escape.
  const escaped = body(8, mentions).replaceAll('inlet_wk_', String.raw`inlet\u005fwk\u005f`);
  expect(await post(path, { body: escaped })).toBe(200);
  const wide = Array.from(key, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  expect(await post(path, { body: body(9, mentions).replaceAll(key, wide.join('')) })).toBe(200);
  const quoted = body(11, mentions).replaceAll(key, encoded(key));
  expect(await post(path, { body: quoted })).toBe(200);

  expect(await post(path, { body: `{"cut": "${key}` })).toBe(400);
  expect(await post(path, { body: JSON.stringify({ a: `${key} `.repeat(25_000) }) })).toBe(413);
  expect(await post(path, { method: 'PUT', body: key })).toBe(405);
  expect(await post(path, { headers: { 'content-type': `text/csv; key=${key}` } })).toBe(415);
  expect(await post(`${path}/${key}`)).toBe(401);
  expect(await post(`/v1/webhook/${key}%`)).toBe(401);
  expect(await post(`/v1/webhook/${key}x?again=${key}`)).toBe(401);
  expect(await post(`/v1/Webhook/${key}`)).toBe(404);
  expect(await post(`/v1/admin/webhooks/${key}`)).toBeGreaterThanOrEqual(401);
  const asks = (target: string) => post(target, { method: 'GET', body: undefined });
  expect([200, 404]).toContain(await asks(`${path}/receipts/${id}-1`));
  expect(await asks(`${path}/receipts/${key}`)).toBe(404);
  expect(await asks(`${path}/receipts/by-body/${key}?key=${key}`)).toBe(404);
  expect(await asks(`${path}x/receipts/${id}-1`)).toBe(401);
  expect(await post(`${path}/receipts/${id}-1`)).toBe(405);
  expect(await post('/v1/admin/webhooks', { headers: { keyapi: key } })).toBe(401);
  expect(await post(`/v1/webhook/${adminToken}`)).toBe(401);
  expect(await post('/v1/webhook/', { headers: { keyapi: adminToken, cookie: key } })).toBe(401);
}

/** Resolves percent-encodings and JSON escapes. */
const spelledOut = (text: string): string =>
  text.replaceAll(/(?:%|\\+u00)([0-9a-fA-F]{2})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Returns the locations of the secrets, never the text around them. */
function expectClean(places: Iterable<readonly [where: string, what: string | Buffer]>): number {
  const secrets = [...secretsOf(webhook.key), adminToken];
  const found: string[] = [];
  let looked = 0;
  for (const [where, what] of places) {
    looked += 1;
    const text = spelledOut(typeof what === 'string' ? what : what.toString('latin1'));
    if (secrets.some((secret) => text.includes(secret))) found.push(where);
  }
  expect(found).toEqual([]);
  return looked;
}

test('no log line of the server or a worker contains it, at the most detailed level', () => {
  const lines = inlet.output().split('\n');
  expect(lines.some((line) => line.includes('event.received'))).toBe(true);
  expect(lines.some((line) => line.includes('event.processed'))).toBe(true);
  expectClean(lines.map((line) => [line.slice(0, 80), line]));
});

test('no answer contains it, headers included', () => {
  expect(answers.length).toBeGreaterThan(60);
  expectClean(answers.map((text) => [text.slice(0, 60), text]));
});

test('no metric contains it', async () => {
  const texts = await Promise.all(
    opsUrls.map(async (url) => [url, await (await fetch(`${url}/metrics`)).text()] as const),
  );
  for (const [, text] of texts) expect(text).toContain('inlet_build_info');
  expectClean(texts);
});

test('no key and no value of Redis contains it', async () => {
  const redis = new Redis(inlet.redisUrl);
  try {
    const looked = expectClean(await dumpOf(redis, inlet.prefix));
    expect(looked).toBeGreaterThan(0);
  } finally {
    redis.disconnect();
  }
});

async function dumpOf(redis: Redis, prefix: string): Promise<[string, string][]> {
  const dumped: [string, string][] = [];
  for await (const names of redis.scanStream({ match: `${prefix}:*`, count: 500 })) {
    for (const name of names as string[])
      dumped.push([name, `${name} ${await readKey(redis, name)}`]);
  }
  return dumped;
}

async function readKey(redis: Redis, name: string): Promise<string> {
  const readers: Record<string, () => Promise<unknown>> = {
    string: () => redis.get(name),
    hash: () => redis.hgetall(name),
    list: () => redis.lrange(name, 0, -1),
    set: () => redis.smembers(name),
    zset: () => redis.zrange(name, '0', '-1'),
    stream: () => redis.xrange(name, '-', '+'),
    none: () => Promise.resolve(''),
  };
  const type = await redis.type(name);
  const read = readers[type];
  if (!read) throw new Error(`There is no reader for a Redis ${type}.`);
  return JSON.stringify(await read());
}

test('no document of the database and no entry of the replication log contains it', async () => {
  const names = (await inlet.db.listCollections().toArray()).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'events',
      'samples',
      'rejections',
      'keys',
      'messages',
      'audit',
      'tokens',
    ]),
  );
  for (const name of names) {
    expectClean(await rawOf(inlet.db.collection(name).find({}, { raw: true }).toArray(), name));
  }
  const log = inlet.mongo.db('local').collection('oplog.rs');
  const mine = new RegExp(`^${inlet.db.databaseName}\\.`);
  // Inserts of several documents and transactions are entries of the namespace admin.$cmd.
  const entries = log.find({ ns: { $in: [mine, 'admin.$cmd'] } }, { raw: true }).toArray();
  expect(expectClean(await rawOf(entries, 'oplog.rs'))).toBeGreaterThan(20);
});

/** The BSON of each document, so that binary values and field names are checked too. */
async function rawOf(found: Promise<unknown[]>, name: string): Promise<[string, Buffer][]> {
  return ((await found) as Buffer[]).map((document) => [name, document]);
}

test('only the SHA-256 and the last four characters of a key are stored', async () => {
  const [stored, ...others] = await inlet.db.collection('keys').find().toArray();
  expect(others).toEqual([]);
  expect(stored).toMatchObject({
    hash: createHash('sha256').update(webhook.key).digest('hex'),
    lastFour: webhook.key.slice(-4),
  });
  const size = mongoose.mongo.BSON.calculateObjectSize(stored ?? {});
  expect(size).toBeLessThan(400);
});
