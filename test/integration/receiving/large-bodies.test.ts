// Large bodies are decoded outside of the event loop, over HTTP.
import { createHmac } from 'node:crypto';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Producer } from '../../../src/producers/producer.ts';
import { producers } from '../../../src/producers/registry.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { kommoBatch } from '../../support/fixtures/kommo-batch.ts';

let api: TestApi;
beforeAll(async () => {
  // What is charged is given back at once, however busy the machine is.
  const clock = { now: () => new Date(), elapsedMs: () => performance.now() * 1_000 };
  api = await createTestApi('large_bodies', { clock });
  // A thread that loads sources may start after the request was answered 503, and a sender sends again.
  const { post } = await addWebhook({ producerProfile: 'kommo' });
  while ((await post(`id=1&${kommoBatch(1_000)}`)).status === 503);
});
afterAll(() => api.close());

const form = { 'content-type': 'application/x-www-form-urlencoded' };

const mapping = {
  eventId: { path: 'id' },
  contact: { name: { path: 'name' }, phone: { path: 'phone' } },
  message: { text: { path: 'name' } },
};

async function addWebhook(settings: object) {
  const { id, key, path } = await aWebhook(api, { mapping });
  expect((await api.ask('PATCH', `${path}/settings`, { body: settings })).status).toBe(200);
  const post = async (body: string, headers: Record<string, string> = form) => {
    const response = await fetch(`${api.url}/v1/webhook/${key}`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const events = () =>
    collectionOf<EventRecord>(api.connection, 'events').find({ webhookId: id }).toArray();
  return { key, post, events };
}

/** Runs while this producer cannot decode in this thread. */
async function withoutDecoder<Result>(
  profile: keyof typeof producers,
  run: () => Promise<Result>,
): Promise<Result> {
  const producer = producers[profile] as { decodeBody: Producer['decodeBody'] };
  const { decodeBody } = producer;
  producer.decodeBody = () => {
    throw new Error('The event loop decodes.');
  };
  try {
    return await run();
  } finally {
    producer.decodeBody = decodeBody;
  }
}

test('a batch of 12,000 fields is stored, and the event loop does not decode it', async () => {
  const { post, events } = await addWebhook({ producerProfile: 'kommo' });
  const body = `id=batch-1&${kommoBatch(12_000)}`;
  const first = await withoutDecoder('kommo', () => post(body));
  expect([first.status, first.body.data.duplicate]).toEqual([200, false]);
  const [event] = await events();
  expect(event?.externalId).toBe('batch-1');
  expect(event?.delivery?.body.toString()).toBe(body);
  const second = await withoutDecoder('kommo', () => post(body));
  expect([second.status, second.body.data.duplicate]).toEqual([200, true]);
});

test('a small body is decoded at once', async () => {
  const { post } = await addWebhook({ producerProfile: 'kommo' });
  const small = await withoutDecoder('kommo', () => post('id=1'));
  expect(small.status).toBe(500);
});

test('a wrong signature over the bytes is found before a large body is decoded', async () => {
  const { post, events } = await addWebhook({ signature: { scheme: 'github', secrets: ['s'] } });
  const body = `id=1&${kommoBatch(12_000)}`;
  const signed = (secret: string) => ({
    ...form,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  });
  expect((await post(body, signed('wrong'))).status).toBe(401);
  expect((await post(`${body}=[`, signed('wrong'))).status).toBe(401);
  expect((await post(body, signed('s'))).status).toBe(200);
  expect(await events()).toHaveLength(1);
});

test('a signature in the fields of a large body is verified', async () => {
  const { post, events } = await addWebhook({
    producerProfile: 'mailgun',
    signature: { secrets: ['s'] },
  });
  const body = (secret: string) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${timestamp}token`).digest('hex');
    const fields = new URLSearchParams({ timestamp, token: 'token', signature, id: '1' });
    return `${fields.toString()}&body-plain=${'a'.repeat(20_000)}`;
  };
  const post401 = await withoutDecoder('mailgun', () => post(body('wrong')));
  expect([post401.status, post401.body.data.code]).toEqual([401, 'invalid_signature']);
  expect((await withoutDecoder('mailgun', () => post(body('s')))).status).toBe(200);
  expect(await events()).toHaveLength(1);
});

test('a large body that repeats the path key is stored without it', async () => {
  const { key, post, events } = await addWebhook({ producerProfile: 'kommo' });
  const answer = await withoutDecoder('kommo', () => post(`id=${key}&${kommoBatch(1_000)}`));
  expect(answer.status).toBe(200);
  const [event] = await events();
  expect(event?.externalId).toContain('***');
  expect(event?.delivery?.body.includes(key.slice(-20))).toBe(false);
});

test('a large body that is malformed or beyond a bound is refused as a small one', async () => {
  const { post } = await addWebhook({ producerProfile: 'generic' });
  const json = { 'content-type': 'application/json' };
  const broken = await post(`["${'a'.repeat(200_000)}"`, json);
  expect([broken.status, broken.body.data.code]).toEqual([400, 'malformed_json']);
  const wide = await post('a=1&'.repeat(20_001));
  expect([wide.status, wide.body.data.code]).toEqual([400, 'invalid_body']);
});
