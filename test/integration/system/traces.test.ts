// What a server and a worker, as separate processes, send to a collector on loopback.
import { base64FragmentsOf } from '../../../src/base/secrets/base64-fragments.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startDestination, type Destination } from '../../support/services/destination.ts';
import {
  startOtlpReceiver,
  type OtlpReceiver,
  type ReceivedSpan,
} from '../../support/services/otlp-receiver.ts';

jest.setTimeout(120_000);

const mapping: MappingDocument = {
  eventId: { path: 'id' },
  contact: { name: { path: 'lead.name' }, phone: { path: 'lead.phone', required: true } },
  message: { text: { path: 'text' } },
};

/** What must never be sent to a collector. Each appears in a request, an answer or a setting of the tests below. */
const secrets = {
  name: 'Zoë Canária',
  phone: '5511987650123',
  text: 'canary-message-3141',
  unreadable: 'canary-unreadable-2718',
  list: 'canary-item-1618',
  mail: 'canary-1414@example.com',
  query: 'canary-query-1732',
  header: 'canary-header-2236',
  bearer: 'canary-bearer-2645',
  agent: 'canary-agent-3317',
  state: 'canary-state-3606',
  baggage: 'canary-baggage-3742',
  parent: 'canary-parent-3873',
  externalId: 'canary-external-4123',
  unknownKey: `inlet_wk_${'k'.repeat(43)}`,
  plainKey: 'canary-plain-key-4243',
  path: 'canary-path-4359',
  search: 'canary-search-4472',
  token: adminToken,
  wrongToken: `inlet_at_${'t'.repeat(43)}`,
  destinationUrl: 'canary-destination-4583',
  destinationToken: 'canary-authorization-4690',
  answer: 'canary-answer-4796',
  address: '127.0.0.1',
};

/** The text itself, and how URLs, JSON, hex and base64 write it. */
function spellingsOf(text: string): string[] {
  const hex = Buffer.from(text).toString('hex');
  const escaped = text.replaceAll(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const fragments = base64FragmentsOf(text);
  return [text, encodeURIComponent(text), escaped, hex, hex.toUpperCase(), ...fragments];
}

const found = (bytes: Buffer, texts: readonly string[]): string[] =>
  texts.filter((text) => spellingsOf(text).some((spelling) => bytes.includes(spelling)));

const outsider = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

let receiver: OtlpReceiver;
let destination: Destination;
let inlet: Deployment;
let spans: readonly ReceivedSpan[];
let exitCodes: readonly (number | null)[];
const keys: string[] = [];
const ids = { webhook: '', first: '', dead: '', retried: '', parent: '' };

type Sent = { readonly body: string; readonly headers?: Record<string, string> };

async function post(key: string, { body, headers = {} }: Sent) {
  const { url = '' } = server;
  const response = await fetch(`${url}/v1/webhook/${key}?token=${secrets.query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': secrets.agent,
      'x-token': secrets.header,
      authorization: `Bearer ${secrets.bearer}`,
      ...headers,
    },
    body,
  });
  const { data } = (await response.json()) as { data: { eventId?: string; duplicate?: boolean } };
  return { status: response.status, ...data };
}

const leadOf = (id: string) => ({
  id,
  text: secrets.text,
  lead: { name: secrets.name, phone: `+${secrets.phone}`, mail: secrets.mail },
});
const lead = (id: string): Sent => ({ body: JSON.stringify(leadOf(id)) });

async function addWebhook(over: Partial<MappingDocument> = {}) {
  const { call, deliver, activate } = inlet.client;
  const settings = {
    url: `${destination.url}/${secrets.destinationUrl}?key=${secrets.destinationUrl}`,
    authorization: `Bearer ${secrets.destinationToken}`,
  };
  const channel = await call('createChannel', { body: { name: 'Out', kind: 'http', settings } });
  const webhook = await call('createWebhook', { body: { name: 'Leads', channelId: channel.id } });
  await deliver(webhook.key, { id: 'sample' });
  await activate(webhook.id, { ...mapping, ...over });
  keys.push(webhook.key);
  return webhook;
}

let server: Awaited<ReturnType<Deployment['start']>>;

async function sendAll(): Promise<void> {
  const webhook = await addWebhook();
  ids.webhook = webhook.id;
  const traced = {
    traceparent: `00-${outsider.traceId}-${outsider.spanId}-00`,
    tracestate: `x=${secrets.state}`,
    baggage: `x=${secrets.baggage}`,
  };
  const first = await post(webhook.key, { ...lead(secrets.externalId), headers: traced });
  expect(first.status).toBe(200);
  ids.first = first.eventId ?? '';
  await inlet.client.settled(ids.first);
  await waitForValue('the first delivery', () => destination.posts[0]);
  const malformed = { traceparent: secrets.parent };
  const resent = await post(webhook.key, { ...lead(secrets.externalId), headers: malformed });
  expect(resent).toMatchObject({ status: 200, duplicate: true });

  expect(await post(webhook.key, { body: `{"${secrets.unreadable}` })).toMatchObject({
    status: 400,
  });
  for (const key of [secrets.unknownKey, secrets.plainKey, `${secrets.plainKey}%20/more`])
    expect(await post(key, lead('unknown'))).toMatchObject({ status: 401 });

  const { eventId: dead = '' } = await post(webhook.key, {
    body: JSON.stringify({ id: 'dead', text: secrets.text, lead: { name: secrets.name } }),
  });
  expect(await inlet.client.settled(dead)).toMatchObject({ state: 'dead' });
  ids.dead = dead;

  destination.answerWith((response) => void response.writeHead(500).end(secrets.answer));
  const { eventId: retried = '' } = await post(webhook.key, lead('retried'));
  ids.retried = retried;
  await waitForValue('the failed delivery', () => destination.posts[1]);
  const isWaiting = { _id: retried, 'delivery.reason': { $ne: null } };
  await waitForValue(
    'its outcome',
    async () => (await messages().findOne<{ _id: string }>(isWaiting as object)) ?? undefined,
  );

  const list = await addWebhook({ split: 'items' });
  const items = [0, 1].map((n) => ({ ...leadOf(`${n}`), text: secrets.list }));
  const { eventId: parent = '' } = await post(list.key, { body: JSON.stringify({ items }) });
  ids.parent = parent;
  await waitForValue('the items', async () => {
    const done = await inlet.db
      .collection('events')
      .countDocuments({ parentId: parent, state: 'done' });
    return done === 2 || undefined;
  });
}

const messages = () => inlet.db.collection('messages');

async function askApi(): Promise<void> {
  const { url = '' } = server;
  const ask = async (path: string, token: string) =>
    (await fetch(`${url}${path}`, { headers: { keyapi: token } })).status;
  const search = `name=${secrets.search}&phone=${secrets.phone}`;
  expect(await ask(`/v1/chat/contacts?${search}`, adminToken)).toBeLessThan(500);
  expect(await ask(`/v1/admin/webhooks/${secrets.path}`, adminToken)).toBe(404);
  expect(await ask('/v1/admin/webhooks', secrets.wrongToken)).toBe(401);
}

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  destination = await startDestination();
  inlet = await createDeployment('traces', {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      INLET_ALLOWED_DESTINATIONS: '127.0.0.0/8',
      // Attempts of a worker that is held up are no second ones.
      INLET_LEASE_MS: '60000',
    },
  });
  const starting = [inlet.start('server'), inlet.start('worker')] as const;
  const [started, worker] = await Promise.all(starting);
  server = started;
  await sendAll();
  await askApi();
  // What is recorded is sent when the processes end.
  exitCodes = await Promise.all([server.stop(), worker.stop()]);
  spans = receiver.spans();
});
afterAll(async () => {
  await inlet?.close();
  await destination?.close();
  await receiver?.close();
});

const spansOf = (eventId: string, name: string) =>
  spans.filter((span) => span.name === name && span.attributes['inlet.event.id'] === eventId);
function spanOf(eventId: string, name: string): ReceivedSpan {
  const [span] = spansOf(eventId, name);
  if (!span) throw new Error(`There is no span ${name} of ${eventId}.`);
  return span;
}

test('the processes send what they recorded before they end', () => {
  expect(exitCodes).toEqual([0, 0]);
  expect(spans.length).toBeGreaterThan(10);
});

test('one trace goes from the request over the event to the delivery, and on to the destination', () => {
  const received = spanOf(ids.first, 'receive');
  const processed = spanOf(ids.first, 'process event');
  const delivered = spanOf(ids.first, 'deliver');
  expect(received).toMatchObject({
    parentId: '',
    isFailed: false,
    resource: { 'inlet.role': 'server', 'service.name': 'inlet' },
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/webhook/:keyapi',
      'http.response.status_code': 200,
      'inlet.outcome': 'event',
      'inlet.webhook.id': ids.webhook,
    },
  });
  expect(processed).toMatchObject({
    traceId: received.traceId,
    parentId: received.spanId,
    resource: { 'inlet.role': 'worker' },
    attributes: { 'inlet.outcome': 'done', 'inlet.attempt': 1 },
  });
  expect(delivered).toMatchObject({
    traceId: received.traceId,
    parentId: processed.spanId,
    isFailed: false,
    attributes: { 'inlet.outcome': 'delivered', 'inlet.attempt': 1 },
  });
  expect(destination.posts[0]?.headers.traceparent).toBe(
    `00-${received.traceId}-${delivered.spanId}-01`,
  );
});

test('the set is a trace of its own, linked to the request and from the event', () => {
  const received = spanOf(ids.first, 'receive');
  const set = spans.find(
    ({ name, links }) =>
      name === 'process set' && links.some(({ spanId }) => spanId === received.spanId),
  );
  expect(set).toMatchObject({
    parentId: '',
    links: [{ traceId: received.traceId, spanId: received.spanId }],
    attributes: { 'messaging.batch.message_count': 1, 'messaging.operation.type': 'process' },
  });
  expect(set?.traceId).not.toBe(received.traceId);
  expect(spanOf(ids.first, 'process event').links).toEqual([
    { traceId: set?.traceId, spanId: set?.spanId },
  ]);
});

test('the trace that a sender names is only a link, and a malformed one is ignored', () => {
  const [first, resend] = spansOf(ids.first, 'receive');
  expect(first?.links).toEqual([outsider]);
  expect(resend?.links).toEqual([]);
  expect(spans.filter(({ traceId }) => traceId === outsider.traceId)).toEqual([]);
});

test('a resend and a rejected request have spans with their outcome', () => {
  const [first, resend] = spansOf(ids.first, 'receive');
  expect(resend).toMatchObject({ attributes: { 'inlet.outcome': 'duplicate' }, isFailed: false });
  expect(resend?.traceId).not.toBe(first?.traceId);
  const rejected = spans.filter(
    ({ name, attributes }) => name === 'receive' && attributes['inlet.outcome'] === 'client_error',
  );
  const facts = rejected.map(({ attributes }) => [
    attributes['http.response.status_code'],
    attributes['inlet.reason'],
    attributes['inlet.webhook.id'],
  ]);
  expect(facts).toEqual([
    [400, 'malformed_json', ids.webhook],
    ...Array.from({ length: 3 }, () => [401, 'invalid_key', undefined]),
  ]);
  expect(rejected.filter(({ isFailed }) => isFailed)).toEqual([]);
});

test('a dead event and a failed delivery have failed spans with a reason', () => {
  expect(spanOf(ids.dead, 'process event')).toMatchObject({
    isFailed: true,
    attributes: { 'inlet.outcome': 'dead', 'inlet.reason': 'required_missing' },
  });
  expect(spanOf(ids.retried, 'deliver')).toMatchObject({
    isFailed: true,
    attributes: { 'inlet.outcome': 'retry', 'inlet.reason': 'destination_unavailable' },
  });
});

test('the items of a body continue the trace of the body', async () => {
  const { traceId, spanId } = spanOf(ids.parent, 'process event');
  const items = await inlet.db.collection('events').find({ parentId: ids.parent }).toArray();
  const ofItems = items.map(({ _id }) => spanOf(String(_id), 'process event'));
  expect(ofItems).toHaveLength(2);
  for (const item of ofItems) expect(item).toMatchObject({ traceId, parentId: spanId });
});

test('requests to the API have spans that are named by method and route', () => {
  const asked = spans.filter(({ name }) => name.startsWith('GET /v1/'));
  expect(
    asked.map(({ name, attributes }) => [name, attributes['http.response.status_code']]),
  ).toEqual(
    expect.arrayContaining([
      ['GET /v1/admin/webhooks/:id', 404],
      ['GET /v1/admin/webhooks', 401],
      ['GET /v1/admin/events/:id', 200],
    ]),
  );
});

test('an event stores 25 bytes of its trace', async () => {
  const { traceId, spanId } = spanOf(ids.first, 'receive');
  const stored = await inlet.db.collection('events').findOne({ _id: ids.first as never });
  expect(stored?.trace.buffer.toString('hex')).toBe(`${traceId}${spanId}01`);
});

test('only the listed names are sent, and no text besides attributes', () => {
  const attributes = new Set(spans.flatMap((span) => Object.keys(span.attributes)));
  expect([...attributes].toSorted()).toEqual([
    'http.request.body.size',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'inlet.attempt',
    'inlet.channel.id',
    'inlet.event.id',
    'inlet.message.id',
    'inlet.outcome',
    'inlet.reason',
    'inlet.webhook.id',
    'messaging.batch.message_count',
    'messaging.destination.name',
    'messaging.operation.name',
    'messaging.operation.type',
    'messaging.system',
  ]);
  const resource = new Set(spans.flatMap((span) => Object.keys(span.resource)));
  expect([...resource].toSorted()).toEqual([
    'inlet.role',
    'service.instance.id',
    'service.name',
    'service.version',
  ]);
  expect(spans.filter(({ events, statusMessage }) => events > 0 || statusMessage !== '')).toEqual(
    [],
  );
});

test('no byte that is sent has a key, a token or a part of a request, in any common encoding', () => {
  const texts = [...Object.values(secrets), ...keys];
  for (const { bytes, headers } of receiver.exports) {
    expect(headers['content-encoding']).toBeUndefined();
    expect(found(bytes, texts)).toEqual([]);
  }
  const all = Buffer.concat(receiver.exports.map(({ bytes }) => bytes));
  // The search finds what is there.
  expect(found(all, [ids.webhook, ids.first, '/v1/webhook/:keyapi'])).toHaveLength(3);
  for (const text of texts) {
    for (const encode of ['utf8', 'hex', 'base64'] as const) {
      const hidden = Buffer.from(`ab${text}yz`).toString(encode);
      expect(found(Buffer.from(`{${hidden}}`), [text])).toEqual([text]);
    }
  }
});
