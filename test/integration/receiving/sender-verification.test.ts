// Handshakes, signatures, test requests, forms and configured answers, over HTTP.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let channelId: string;
beforeAll(async () => {
  api = await createTestApi('http_senders');
  channelId = await aChannel(api);
});
afterAll(() => api.close());

async function addWebhook(settings: object) {
  const { id, key, path } = await aWebhook(api, { channelId });
  const set = await api.ask('PATCH', `${path}/settings`, { body: settings });
  expect(set.status).toBe(200);
  return { id, path, url: `${api.url}/v1/webhook/${key}` };
}

async function activate(path: string, mapping: object): Promise<void> {
  await api.ask('POST', `${path}/mappings`, { body: { mapping } });
  expect((await api.ask('POST', `${path}/activate`, { body: {} })).status).toBe(200);
}

const post = (url: string, body: string, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', body, headers });

const samplesOf = async (path: string): Promise<number> =>
  (await api.ask('GET', `${path}/samples`)).body.data.pagings.total;
const eventsOf = async (id: string): Promise<number> =>
  (await api.ask('GET', `/v1/admin/events?webhookId=${id}`)).body.data.pagings.total;

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('Meta’s challenge is returned as text; a wrong verify token is rejected, and nothing is stored', async () => {
  const { path, url } = await addWebhook({
    producerProfile: 'meta',
    handshake: { verifyToken: 'right-token' },
  });
  const challenge = (token: string) =>
    fetch(`${url}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
  const right = await challenge('right-token');
  expect([right.status, await right.text()]).toEqual([200, '1158201444']);
  expect(right.headers.get('content-type')).toContain('text/plain');
  expect((await challenge('wrong-token')).status).toBe(403);
  expect(await samplesOf(path)).toBe(0);
});

test('GET is 405 for a sender without a handshake, and 200 where the webhook answers it', async () => {
  const { url, path } = await addWebhook({ producerProfile: 'generic' });
  const answer = await fetch(`${url}?hub.mode=subscribe&hub.challenge=1`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, HEAD']);
  await api.ask('PATCH', `${path}/settings`, { body: { answersGet: true } });
  const got = await fetch(url);
  expect([got.status, await got.text()]).toEqual([200, '']);
  expect(await samplesOf(path)).toBe(0);
});

test('a secret that is pasted with blanks, line breaks and invisible characters verifies', async () => {
  const { url, path } = await addWebhook({
    signature: { scheme: 'github', secrets: [' \u200bapp-\r\nsecret\n'] },
  });
  const body = JSON.stringify({ email: 'ana@example.com' });
  const digest = createHmac('sha256', 'app-secret').update(body).digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${digest}`, 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  const blank = await api.ask('PATCH', `${path}/settings`, {
    body: { signature: { scheme: 'github', secrets: ['\n'] } },
  });
  expect([blank.status, blank.body.data.fields[0].path]).toEqual([422, '/signature/secrets/0']);
});

test('Slack’s challenge is returned only when the request is signed', async () => {
  const { id, path, url } = await addWebhook({
    producerProfile: 'slack',
    signature: { secrets: ['old-secret', 'slack-secret'] },
  });
  const body = JSON.stringify({ token: 't', challenge: '3eZbrw1aB', type: 'url_verification' });
  const send = (secret: string, timestamp = Math.floor(Date.now() / 1_000)) => {
    const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    return post(url, body, {
      ...json,
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': `v0=${digest}`,
    });
  };
  const right = await send('slack-secret');
  expect(right.status).toBe(200);
  expect(await right.text()).toContain('3eZbrw1aB');
  expect((await send('old-secret')).status).toBe(200);
  for (const rejected of [
    await send('other'),
    await send('slack-secret', Math.floor(Date.now() / 1_000) - 3_600),
    await post(url, body, json),
  ]) {
    expect(rejected.status).toBe(401);
    expect(await rejected.json()).toMatchObject({ data: { code: 'invalid_signature' } });
  }
  expect([await samplesOf(path), await eventsOf(id)]).toEqual([0, 0]);
});

test('a form becomes an event, and gets the answer of its producer', async () => {
  const { id, path, url } = await addWebhook({ producerProfile: 'twilio' });
  const sms = (sid: string) =>
    new URLSearchParams({
      MessageSid: sid,
      From: '+5511900000001',
      Body: 'Olá',
      To: '+1555',
    }).toString();
  await post(url, sms('SM0'), form);
  await activate(path, {
    eventId: { path: 'MessageSid' },
    contact: { phone: { path: 'From' } },
    message: { text: { path: 'Body' } },
  });
  const answer = await post(url, sms('SM1'), form);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('xml');
  expect(await answer.text()).toContain('<Response');
  const listed = await api.ask('GET', `/v1/admin/events?webhookId=${id}`);
  const [event] = listed.body.data.results;
  await api.processEvents([event.id]);
  const chats = await api.ask('GET', '/v1/chat?status=ura_webhook&filter_phone=900000001');
  expect(chats.body.data.results[0].contact).toMatchObject({ phone: '11900000001' });
});

test('a configured answer replaces the envelope of accepted requests, not of rejected ones', async () => {
  const { url } = await addWebhook({
    answer: { status: 202, contentType: 'text/plain', body: 'OK' },
  });
  const accepted = await post(url, '{"a":1}', json);
  expect([accepted.status, await accepted.text()]).toEqual([202, 'OK']);
  expect((await post(url, '{', json)).status).toBe(400);
});

const policy = "sandbox; default-src 'none'";

test('every response under the URL of a webhook is inert in a browser', async () => {
  const { url } = await addWebhook({
    producerProfile: 'mailchimp',
    answer: { status: 200, contentType: 'text/xml', body: '<a/>' },
  });
  const answers = await Promise.all([
    post(url, 'type=subscribe&fired_at=x', form),
    post(url, '{', { 'content-type': 'image/png' }),
    post(`${url}x`, '{}', json),
    fetch(url),
    fetch(`${url}/receipts/unknown`),
    fetch(url, { method: 'DELETE' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 415, 401, 200, 404, 405]);
  const headersOf = ({ headers }: Response) =>
    ['content-security-policy', 'x-content-type-options'].map((name) => headers.get(name));
  for (const answer of answers) expect(headersOf(answer)).toEqual([policy, 'nosniff']);
});

test('a stored answer of another type is inert too', async () => {
  const { id, url } = await addWebhook({ producerProfile: 'generic' });
  const answer = { status: 200, contentType: 'text/html', body: '<script>1</script>' };
  const webhooks = collectionOf<Webhook>(api.connection, 'webhooks');
  await webhooks.updateOne({ _id: id }, { $set: { 'settings.answer': answer } });
  const { headers } = await post(url, '{}', json);
  expect(headers.get('content-type')).toBe('text/html');
  expect(headers.get('content-security-policy')).toBe(policy);
});

const answering = (contentType: string) => ({ answer: { status: 200, contentType, body: '' } });
const challenging = (query: string, name?: string) => ({
  handshake: { challenge: { from: { query }, as: 'header', ...(name && { name }) } },
});
const typePath = '/answer/contentType';
const namePath = '/handshake/challenge/name';

test.each([
  [answering('text/html'), typePath],
  [answering('TEXT/HTML'), typePath],
  [answering('image/svg+xml'), typePath],
  [answering('application/xhtml+xml'), typePath],
  [challenging('c', 'Content-Length'), namePath],
  [challenging('c', 'transfer-encoding'), namePath],
  [challenging('c', 'Set-Cookie'), namePath],
  [challenging('c', 'Content-Security-Policy'), namePath],
  [challenging('c', 'X-Accel-Redirect'), namePath],
  [challenging('Set-Cookie'), namePath],
])('%j is rejected', async (settings, path) => {
  const { path: webhook } = await addWebhook({ producerProfile: 'generic' });
  const { status, body } = await api.ask('PATCH', `${webhook}/settings`, { body: settings });
  const message = expect.stringMatching(
    path === typePath
      ? /must be one of application\/json, text\/plain/
      : /must begin with X- or Webhook-/,
  );
  expect([status, body.data.code]).toEqual([422, 'invalid_field']);
  expect(body.data.fields[0]).toMatchObject({ path, message });
});

test('a test request of a producer is stored as a sample and becomes no event', async () => {
  const { id, path, url } = await addWebhook({ producerProfile: 'intercom' });
  const body = {
    type: 'notification_event',
    id: 'notif_1',
    topic: 'contact.user.created',
    data: {},
  };
  await post(url, JSON.stringify(body), json);
  await activate(path, { contact: { email: { path: 'data.item.email' } } });
  const ping = { type: 'notification_event', id: 'notif_2', topic: 'ping', data: { item: {} } };
  const answer = await post(url, JSON.stringify(ping), json);
  expect(await answer.json()).toMatchObject({ data: { success: true, mode: 'sample' } });
  expect([await samplesOf(path), await eventsOf(id)]).toEqual([2, 0]);
});

test('with an unreadable verify token handshakes are 503, and events are verified by their signature', async () => {
  const { id, url } = await addWebhook({
    producerProfile: 'meta',
    signature: { scheme: 'github', secrets: ['secret'] },
    handshake: { verifyToken: 'word' },
  });
  // Encrypted for another location.
  const verifyToken = api.vault.seal('word', 'elsewhere');
  await collectionOf<Webhook>(api.connection, 'webhooks').updateOne(
    { _id: id },
    { $set: { 'settings.handshake.verifyToken': verifyToken } },
  );
  const wrong = { ...json, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  expect((await post(url, '{}', wrong)).status).toBe(401);
  const asked = await fetch(`${url}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=word`);
  expect(asked.status).toBe(503);
});

test('secrets can be written and never read, neither in the settings nor in the audit log', async () => {
  const { path } = await addWebhook({
    signature: { scheme: 'github', secrets: ['top-secret-1'] },
    handshake: { verifyToken: 'top-secret-2' },
  });
  const shown = await api.ask('GET', `${path}/settings`);
  expect(shown.body.data).toMatchObject({
    signature: { scheme: 'github', secretsSet: 1 },
    handshake: { verifyTokenSet: true },
  });
  const changed = await api.ask('PATCH', `${path}/settings`, {
    body: { signature: { toleranceSeconds: 60 }, handshake: null },
  });
  expect(changed.body.data).toMatchObject({
    signature: { scheme: 'github', secretsSet: 1, toleranceSeconds: 60 },
    handshake: null,
  });
  const rows = await api.connection.db?.collection('audit').find({}).toArray();
  expect(rows?.length).toBeGreaterThan(2);
  for (const text of [shown.text, changed.text, JSON.stringify(rows)]) {
    expect(text).not.toContain('top-secret');
  }
});

test.each([
  [{ signature: { scheme: 'no-such', secrets: ['x'] } }, '/signature/scheme'],
  [{ signature: { secrets: ['x'] } }, '/signature/scheme'],
  [{ handshake: { challenge: 'no-such' } }, '/handshake/challenge'],
  [{ producerProfile: 'no-such' }, '/producerProfile'],
  [{ signature: { scheme: 'github' } }, '/signature/secrets'],
  [{ signature: { scheme: 'github', secrets: [] } }, '/signature/secrets'],
  [{ signature: { scheme: 'svix', secrets: ['a-good-one', 'whsec_'] } }, '/signature/secrets/1'],
])('invalid settings are rejected with their path: %j', async (body, place) => {
  const { path } = await addWebhook({ producerProfile: 'generic' });
  const answer = await api.ask('PATCH', `${path}/settings`, { body });
  expect(answer.status).toBe(422);
  expect(answer.body.data.fields.map((field: { path: string }) => field.path)).toContain(place);
});

test('stored settings whose secrets are gone accept no request', async () => {
  const { id, path, url } = await addWebhook({ signature: { scheme: 'github', secrets: ['s'] } });
  const unsigned = await api.ask('PATCH', `${path}/settings`, {
    body: { signature: { secrets: null } },
  });
  expect([unsigned.status, unsigned.body.data.fields[0].path]).toEqual([422, '/signature/secrets']);
  await collectionOf<Webhook>(api.connection, 'webhooks').updateOne(
    { _id: id },
    { $set: { 'settings.signature.secrets': [] } },
  );
  expect((await post(url, '{"a":1}', json)).status).toBe(401);
  expect(await samplesOf(path)).toBe(0);
});

test('a scheme is rejected when the stored secrets are no keys for it', async () => {
  const { path } = await addWebhook({ signature: { scheme: 'github', secrets: ['not hex'] } });
  const body = { signature: { scheme: 'close' } };
  const answer = await api.ask('PATCH', `${path}/settings`, { body });
  expect([answer.status, answer.body.data.fields[0].path]).toEqual([422, '/signature/secrets/0']);
});

test('a mapping suggested from a sample can be saved and reads it', async () => {
  const { path, url } = await addWebhook({ producerProfile: 'generic' });
  const body = {
    event_id: 'e-1',
    event: 'lead.created',
    lead: { id: 7, nome: 'Ana Exemplo', telefone: '+55 11 90000-0001', email: 'ana@example.com' },
    mensagem: 'Quero saber mais',
  };
  await post(url, JSON.stringify(body), json);
  const sampleId = (await api.ask('GET', `${path}/samples`)).body.data.results[0].id;
  const { status, body: answer } = await api.ask('POST', `${path}/mappings/suggest`, {
    body: { sampleIds: [sampleId] },
  });
  expect(status).toBe(200);
  const { mapping, confidence, evidence } = answer.data;
  expect(Object.keys(confidence)).toEqual(
    expect.arrayContaining(['contact.phone', 'contact.name']),
  );
  expect(evidence['contact.phone'].length).toBeGreaterThan(0);
  const preview = await api.ask('POST', `${path}/mappings/preview`, {
    body: { mapping, payload: { body } },
  });
  expect(preview.body.data.items[0]).toMatchObject({
    contact: { name: 'Ana Exemplo', phone: '+5511900000001', email: 'ana@example.com' },
    message: { text: 'Quero saber mais' },
  });
  expect((await api.ask('POST', `${path}/mappings`, { body: { mapping } })).status).toBe(201);
});

test('producers and transforms are listed in the caller’s language', async () => {
  const headers = { 'accept-language': 'pt-BR' };
  const producers = await api.ask('GET', '/v1/admin/producers', { headers });
  expect(producers.body.data.producers.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['generic', 'hubspot', 'meta', 'slack', 'twilio']),
  );
  const transforms = await api.ask('GET', '/v1/admin/transforms');
  expect(transforms.body.data.transforms.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['phone', 'date', 'stripHtml', 'template']),
  );
});

test('every example of the page about senders is valid', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/senders.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(examples.length).toBeGreaterThan(2);
  for (const example of examples) await addWebhook(JSON.parse(example));
});

test('concurrent changes of different settings are both kept', async () => {
  const { path } = await addWebhook({ producerProfile: 'generic' });
  const changes = [
    { signature: { scheme: 'github', secrets: ['a-secret'] } },
    { handshake: { verifyToken: 'word' } },
    { answer: { status: 204, contentType: 'text/plain', body: '' } },
  ];
  const answers = await Promise.all(
    changes.map((body) => api.ask('PATCH', `${path}/settings`, { body })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await api.ask('GET', `${path}/settings`)).body.data).toMatchObject({
    signature: { secretsSet: 1 },
    handshake: { verifyTokenSet: true },
    answer: { status: 204 },
  });
});

test('a query name that cannot be stored does not prevent the event from being stored', async () => {
  const { path, url } = await addWebhook({ producerProfile: 'generic' });
  await post(url, '{"id":"0","email":"a@example.com"}', json);
  await activate(path, { eventId: { path: 'id' }, contact: { email: { path: 'email' } } });
  const urls = [`${url}?%00=1`, url, url];
  const answers = await Promise.all(
    urls.map((address, n) => post(address, `{"id":"n${n}","email":"a@example.com"}`, json)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});
