// The live streams and the export of events, over HTTP.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { matchesEvent, type EventFilter } from '../../../src/store/events/event-filter.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import { aWebhook } from '../../support/context/builders.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { followStream } from '../../support/context/follow-stream.ts';
import { getRequest, openRawClient, type RawClient } from '../../support/context/raw-client.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, adminToken, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_event_streams');
});
afterAll(() => api.close());

type Data = {
  at: string;
  event?: { id: string; state: string; externalId: string };
  sample?: { id: string; receivedAt: string; source: string };
};

const follow = (query = '', lastEventId?: string) => followAt(`/events/live${query}`, lastEventId);
const followSamples = (webhookId: string, lastEventId?: string) =>
  followAt(`/webhooks/${webhookId}/samples/live`, lastEventId);

async function followAt(path: string, lastEventId?: string) {
  const stream = await followStream<Data>(`${api.url}/v1/admin${path}`, {
    token: adminToken,
    lastEventId,
  });
  const told = async (count: number) => {
    const found: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { data } = await stream.next();
      found.push(`${data.event?.externalId} ${data.event?.state}`);
    }
    return found;
  };
  return { ...stream, told };
}

test('each change of state is streamed to subscribers whose filter matches', async () => {
  const [webhook, other] = [await api.addWebhook(), await api.addWebhook()];
  const all = await follow(`?webhookId=${webhook._id}`);
  const dead = await follow('?state=dead&reason=contact_unidentified');
  await api.send(other, { id: 'other', lead: { id: 'L0' } });
  const good = await api.send(webhook, { id: 'a', lead: { id: 'L1' } });
  expect(await all.told(1)).toEqual(['a received']);
  await api.processEvents([good]);
  expect(await all.told(1)).toEqual(['a done']);
  const bad = await api.send(webhook, { id: 'b' });
  await api.processEvents([bad]);
  expect(await all.told(2)).toEqual(['b received', 'b dead']);
  const { event, data } = await dead.next();
  expect([event, data.event?.id, data.event?.state]).toEqual(['change', bad, 'dead']);
  all.leave();
  dead.leave();
});

test('an operator gets the request of each event byte for byte, and the audit log says so', async () => {
  const { id, key } = await aWebhook(api, { mapping: { eventId: { path: 'id' } } });
  const exports = async () => (await auditRows(api, { action: 'event.export' })).length;
  const before = await exports();
  const stream = await followStream<{ event: { id: string }; request: Record<string, unknown> }>(
    `${api.url}/v1/admin/events/live?webhookId=${id}&request=true&state=received`,
    { token: adminToken },
  );
  const text = '{ "id":  "exact", "lead": {"id": "L1"} }';
  await fetch(`${api.url}/v1/webhook/${key}?from=crm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-crm': 'yes', authorization: 'Bearer 1' },
    body: text,
  });
  const { data } = await stream.next();
  stream.leave();
  expect(Buffer.from(String(data.request.body), 'base64').toString()).toBe(text);
  expect(data.request).toMatchObject({ query: { from: 'crm' }, headers: { 'x-crm': 'yes' } });
  expect(data.request.headers).not.toHaveProperty('authorization');
  expect(await exports()).toBe(before + 1);
  const token = await api.addToken(['viewer']);
  const refused = await api.ask('GET', '/v1/admin/events/live?request=true', { token });
  expect([refused.status, await exports()]).toEqual([403, before + 1]);
});

test('a client that reconnects with the last id misses nothing and gets nothing twice', async () => {
  const webhook = await api.addWebhook();
  const first = await follow(`?webhookId=${webhook._id}`);
  await api.send(webhook, { id: 'r1' });
  const seen = await first.next();
  first.leave();
  await api.send(webhook, { id: 'r2' });
  await api.send(webhook, { id: 'r3' });
  const second = await follow(`?webhookId=${webhook._id}`, seen.id);
  expect(await second.told(2)).toEqual(['r2 received', 'r3 received']);
  await api.send(webhook, { id: 'r4' });
  expect(await second.told(1)).toEqual(['r4 received']);
  // Beside a running watch, from a position that it has passed.
  const third = await follow(`?webhookId=${webhook._id}`, seen.id);
  await api.send(webhook, { id: 'r5' });
  expect(await third.told(4)).toEqual(['r2 received', 'r3 received', 'r4 received', 'r5 received']);
  expect(await second.told(1)).toEqual(['r5 received']);
  second.leave();
  third.leave();
});

test.each(['nonsense', '82FFFFFFFF0000000000000001', '82654321000000000129295A10'])(
  'an unknown id (%s) is reported as lost, and the stream continues from now',
  async (id) => {
    const webhook = await api.addWebhook();
    const tail = await follow(`?webhookId=${webhook._id}`, id);
    expect((await tail.next()).event).toBe('history_lost');
    await api.send(webhook, { id: 'l1' });
    expect(await tail.told(1)).toEqual(['l1 received']);
    tail.leave();
  },
);

test('a watch after a token stays there until it has returned the changes since', async () => {
  const webhook = await api.addWebhook();
  const begun = await api.stores.events.watch();
  await api.send(webhook, { id: 'w1' });
  const first = (await begun.next())[0] ?? (await begun.next())[0];
  await begun.close();
  await api.send(webhook, { id: 'w2' });
  // Writes of others move the stream's position without new items.
  for (let n = 0; n < 20; n += 1) await api.addToken(['viewer']);
  const again = await api.stores.events.watch(first?.token);
  expect(again.position).toBe(first?.token);
  await again.close();
});

test('the live stream accepts and rejects the same filters as the search', async () => {
  const refused = await api.ask('GET', '/v1/admin/events/live?phone=abc');
  expect([refused.status, refused.body.data.code]).toEqual([400, 'invalid_query']);
  const unknown = await api.ask('GET', '/v1/admin/events/live?from=2026-01-01');
  expect(unknown.status).toBe(400);
});

describe('samples of a webhook', () => {
  /** A webhook without samples. */
  async function draft() {
    const { id, key, path } = await aWebhook(api);
    const post = (body: object) => api.ask('POST', `/v1/webhook/${key}`, { token: null, body });
    const add = async (body: object) =>
      (await api.ask('POST', `${path}/samples`, { body })).body.data;
    return { id, post, add };
  }

  test('are streamed when any process stores them, without their content', async () => {
    const [one, other] = [await draft(), await draft()];
    const tail = await followSamples(one.id);
    await other.post({ name: 'of another' });
    await one.post({ name: 'Ana', secret: 'hush' });
    const first = await tail.next();
    const listed = await api.ask('GET', `/v1/admin/webhooks/${one.id}/samples`);
    const [{ id, receivedAt }] = listed.body.data.results;
    const at = expect.any(String);
    const sample = { id, receivedAt, source: 'webhook' };
    expect(first).toEqual({ id: at, event: 'sample', data: { at, sample } });
    const added = await one.add({ body: { name: 'Bia' } });
    expect((await tail.next()).data.sample).toMatchObject({ id: added.id, source: 'manual' });
    // A name or a pin is not a new sample.
    const path = `/v1/admin/webhooks/${one.id}/samples/${added.id}`;
    await api.ask('PATCH', path, { body: { name: 'Second', pinned: true } });
    // As another process stores it.
    const samples = collectionOf<{ _id: string }>(api.connection, 'samples');
    const stored = await samples.findOne({ _id: added.id });
    await samples.insertOne({ ...stored, _id: 'elsewhere', pin: null } as never);
    expect((await tail.next()).data.sample?.id).toBe('elsewhere');
    tail.leave();
  });

  test('are streamed once to a client that reconnects with the last id', async () => {
    const { id, post } = await draft();
    const first = await followSamples(id);
    await post({ n: 1 });
    const seen = await first.next();
    first.leave();
    const second = (await post({ n: 2 })).status;
    const back = await followSamples(id, seen.id);
    await post({ n: 3 });
    await back.next();
    await back.next();
    const listed = await api.ask('GET', `/v1/admin/webhooks/${id}/samples?sort_by=receivedAt`);
    const ids = listed.body.data.results.map((one: { id: string }) => one.id);
    const told = [...first.items, ...back.items].map(({ data }) => data.sample?.id);
    expect([second, told]).toEqual([200, ids]);
    back.leave();
  });

  test('before an unknown id are reported as lost, and the stream continues from now', async () => {
    const { id, post } = await draft();
    const tail = await followSamples(id, 'nonsense');
    expect((await tail.next()).event).toBe('history_lost');
    await post({ n: 1 });
    expect((await tail.next()).event).toBe('sample');
    tail.leave();
  });

  test('of an unknown webhook are not found', async () => {
    const refused = await api.ask('GET', '/v1/admin/webhooks/none/samples/live');
    expect([refused.status, refused.body.data.code]).toEqual([404, 'not_found']);
  });
});

describe('a token that loses access during its stream', () => {
  const tokens = '/v1/admin/tokens';
  async function streamOf(restriction: object) {
    const body = { name: 'A stream', scopes: ['viewer'], ...restriction };
    const { id, token } = (await api.ask('POST', tokens, { body })).body.data;
    const client = await openRawClient(api.url);
    client.send(getRequest('/v1/admin/events/live', [`keyapi: ${token}`]));
    await client.until('retry: ');
    return { id, client };
  }

  /** Sends an event before and after the change, which ends the first stream and not the second. */
  async function expectEnd(webhook: Webhook, streams: RawClient[], change: () => Promise<Answer>) {
    const [lost, kept] = streams;
    await api.send(webhook, { id: 'before-it' });
    await lost?.until('before-it');
    expect((await change()).status).toBe(200);
    await api.send(webhook, { id: 'after-it' });
    expect(await lost?.until('\r\n0\r\n')).not.toContain('after-it');
    await kept?.until('after-it');
    for (const client of streams) client.leave();
  }

  test('hears nothing after it is revoked, and its stream ends', async () => {
    const webhook = await api.addWebhook();
    const [{ id, client: lost }, { client: kept }] = [await streamOf({}), await streamOf({})];
    await expectEnd(webhook, [lost, kept], () => api.ask('DELETE', `${tokens}/${id}`));
  });

  test('hears nothing of a webhook after it is moved to another channel', async () => {
    const webhook = await api.addWebhook();
    const { client: lost } = await streamOf({ channelIds: [webhook.channelId] });
    const { client: kept } = await streamOf({ webhookIds: [webhook._id] });
    const channel = { name: `Another ${webhook._id}`, kind: 'inbox' };
    const { id: channelId } = (await api.ask('POST', '/v1/admin/channels', { body: channel })).body
      .data;
    await expectEnd(webhook, [lost, kept], () =>
      api.ask('PATCH', `/v1/admin/webhooks/${webhook._id}`, { body: { channelId } }),
    );
  });
});

const linesOf = async (query: string) => {
  const response = await fetch(`${api.url}/v1/admin/events/export${query}`, {
    headers: { keyapi: adminToken },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/x-ndjson'),
  ]);
  const text = await response.text();
  return text
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one));
};

test('an export has every event once, in order, and continues from any of its lines', async () => {
  const webhook = await api.addWebhook();
  for (let n = 0; n < 45; n += 1) await api.send(webhook, { id: `x${n}`, token: 'hush' });
  const names = (lines: { event: { externalId: string } }[]) =>
    lines.map(({ event }) => event.externalId);
  const expected = Array.from({ length: 45 }, (_, n) => `x${n}`);
  const all = await linesOf(`?webhookId=${webhook._id}&payload=true`);
  expect(names(all)).toEqual(expected);
  expect(all[0].event.payload).toEqual({ id: 'x0', token: '***' });
  const rest = await linesOf(`?webhookId=${webhook._id}&cursor=${all[21].cursor}`);
  expect(names(rest)).toEqual(expected.slice(22));
  expect(rest[0].event).not.toHaveProperty('payload');
  expect(names(await linesOf(`?webhookId=${webhook._id}&sort_by=-receivedAt`))).toEqual(
    expected.toReversed(),
  );
  const rows = await auditRows(api, { action: 'event.export' });
  expect(rows.at(-1)).toMatchObject({ after: { filters: ['webhookId'] } });
});

test('a filter matches the same events in the search and in the live stream', async () => {
  const events = collectionOf<EventRecord>(api.connection, 'events');
  const all = await events.find().toArray();
  const some = all.find(({ effects }) => effects) as EventRecord;
  const filters: Partial<EventFilter>[] = [
    {},
    { webhookId: [some.webhookId] },
    { state: ['dead', 'received'] },
    { state: ['received', 'processing', 'waiting', 'held', 'ignored', 'dead', 'discarded'] },
    { state: ['held', 'ignored'], webhookId: [some.webhookId] },
    { state: ['dead', 'done'], from: some.receivedAt },
    { id: [some._id, 'none'] },
    { externalId: ['a', 'x3'] },
    { reason: ['contact_unidentified'] },
    { reason: ['contact'] },
    { reasonIs: ['contact_unidentified'] },
    { contactId: [some.effects?.contactId ?? ''] },
    { contactId: [] },
    { mappingVersion: [1] },
    { eventType: ['x'] },
    { from: some.receivedAt },
    { to: some.receivedAt },
    { eventFrom: new Date(0) },
  ];
  const order = { field: 'receivedAt', direction: 1 } as const;
  for (const over of filters) {
    const filter = { parents: false, ...over };
    const page = { order, skip: 0, limit: 500, bodies: false };
    const found = (await api.stores.events.page(filter, page)).found.map(({ _id }) => _id);
    const matched = all.filter((event) => matchesEvent(filter, event)).map(({ _id }) => _id);
    expect([over, matched.toSorted()]).toEqual([over, found.toSorted()]);
  }
});
