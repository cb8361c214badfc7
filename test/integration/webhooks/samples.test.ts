import { newId } from '../../../src/base/ids.ts';
import { maxPinnedSamples, maxSamples } from '../../../src/domain/webhooks/webhook.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let channelId: string;

beforeAll(async () => {
  api = await createTestApi('http_samples');
  channelId = await aChannel(api);
});
afterAll(() => api.close());

async function newWebhook() {
  const { id, key, path } = await aWebhook(api, { channelId });
  const post = (under: string, given?: object) =>
    api.ask('POST', `${path}/${under}`, { body: given });
  const send = (payload: object) =>
    api.ask('POST', `/v1/webhook/${key}`, { token: null, body: payload });
  return { id, path, post, send };
}

type Webhook = Awaited<ReturnType<typeof newWebhook>>;

async function activate({ post, send }: Webhook): Promise<void> {
  await send({ id: 'first' });
  await post('mappings', { mapping: leadMapping });
  expect((await post('activate')).status).toBe(200);
}

const dataOf = ({ body }: Answer) => body.data;
const totalOf = async ({ path }: Webhook, query = '') =>
  dataOf(await api.ask('GET', `${path}/samples${query}`)).pagings.total as number;

describe('a sample added by hand', () => {
  test('counts as the first one, and is shown masked while its original stays whole', async () => {
    const webhook = await newWebhook();
    const given = {
      body: { lead: { id: 'L1', phone: '+5511999990001' }, token: 'hush' },
      headers: { 'X-Auth': 'Bearer hush' },
      name: 'By hand',
    };
    const added = await webhook.post('samples', given);
    expect(added.status).toBe(201);
    expect(dataOf(added)).toMatchObject({
      source: 'manual',
      name: 'By hand',
      pinned: false,
      eventId: null,
      contentType: 'application/json',
      headers: { 'x-auth': '***' },
      body: { lead: { id: 'L1' }, token: '***' },
    });
    const { data } = (await api.ask('GET', webhook.path)).body;
    expect([data.status, data.setup.next]).toEqual(['sampled', 'mapping']);
    const stored = await api.stores.samples.get(webhook.id, dataOf(added).id);
    expect(stored?.body.toString()).toContain('hush');
    const sampleIds = [dataOf(added).id];
    const suggested = await webhook.post('mappings/suggest', { sampleIds });
    expect(JSON.stringify(dataOf(suggested).mapping)).toContain('lead.phone');
  });

  test('may be text of any type that the producer’s profile decodes, with a name of its own', async () => {
    const { post } = await newWebhook();
    const payload = { rawBody: '<lead><id>7</id></lead>', contentType: 'application/xml' };
    expect(dataOf(await post('samples', { payload })).body).toEqual({ lead: { id: '7' } });
  });

  test('stores no path key and no token of a pasted payload', async () => {
    const { id, post } = await newWebhook();
    const secret = `inlet_wk_${'a'.repeat(43)}`;
    const given = { body: { url: `https://x.example/v1/webhook/${secret}` } };
    const sampleId = dataOf(await post('samples', given)).id;
    const stored = await api.stores.samples.get(id, sampleId);
    expect(stored?.body.toString()).not.toContain(secret);
  });

  test.each([
    [{}, ''],
    [{ name: 'nothing else' }, ''],
    [{ body: {}, payload: { body: {} } }, ''],
    [{ body: {}, rawBody: '{}' }, ''],
    [{ rawBody: '{' }, '/rawBody'],
    [{ payload: { rawBody: '{' } }, '/payload/rawBody'],
    [{ body: 'text' }, '/body'],
    [{ eventId: newId() }, '/eventId'],
    [{ eventId: newId(), body: {} }, ''],
    [{ body: {}, name: ' ' }, '/name'],
  ])('is rejected: %j', async (given, path) => {
    const answer = await (await newWebhook()).post('samples', given);
    expect([answer.status, dataOf(answer).code, dataOf(answer).fields[0].path]).toEqual([
      422,
      'invalid_field',
      path,
    ]);
  });

  test('is rejected by an archived webhook', async () => {
    const { post } = await newWebhook();
    await post('archive');
    const answer = await post('samples', { body: {} });
    expect([answer.status, dataOf(answer).code]).toEqual([409, 'invalid_transition']);
  });
});

describe('a sample from a file', () => {
  const upload = ({ path }: Webhook, raw: Buffer, type?: string) =>
    api.ask('POST', `${path}/samples/file?name=export`, {
      raw,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });

  test.each([
    ['application/json', '{"id":"7"}', { id: '7' }],
    ['application/x-www-form-urlencoded', 'lead[id]=7', { lead: { id: '7' } }],
    ['text/xml; charset=iso-8859-1', '<lead><n>S\xe3o</n></lead>', { lead: { n: 'São' } }],
  ])('is read as its type says: %s', async (type, text, body) => {
    const webhook = await newWebhook();
    const answer = await upload(webhook, Buffer.from(text, 'latin1'), type);
    expect([answer.status, dataOf(answer)]).toMatchObject([201, { source: 'manual', body }]);
    expect(dataOf(answer)).toMatchObject({ name: 'export', contentType: type });
    const stored = await api.stores.samples.get(webhook.id, dataOf(answer).id);
    expect(stored?.body.toString('latin1')).toBe(text);
  });

  test.each([
    ['image/png', 'x', 415],
    ['application/json', '{', 400],
    ['application/json', '', 400],
  ])('is rejected: %s %j with %i', async (type, text, status) => {
    expect((await upload(await newWebhook(), Buffer.from(text), type)).status).toBe(status);
  });
});

describe('a sample of a stored event', () => {
  test('is stored once beside the active version, and never becomes another event', async () => {
    const webhook = await newWebhook();
    await activate(webhook);
    const { eventId } = dataOf(await webhook.send({ id: 'e1', lead: { id: 'L1' }, new: true }));
    const added = await webhook.post('samples', { eventId });
    expect(dataOf(added)).toMatchObject({ source: 'manual', eventId, body: { new: true } });
    const again = await webhook.post('samples', { eventId });
    expect(dataOf(again).id).toBe(dataOf(added).id);
    expect(await totalOf(webhook)).toBe(2);
    await webhook.post('activate', { processSamples: true });
    const events = await api.ask('GET', `/v1/admin/events?webhookId=${webhook.id}`);
    const ids = dataOf(events).results.map((event: { externalId: string }) => event.externalId);
    expect(ids.toSorted()).toEqual(['e1', 'first']);
  });

  test('takes the whole body if the event is an item of a split body', async () => {
    const webhook = await newWebhook();
    const mapping = { ...leadMapping, split: 'leads' };
    await webhook.send({ leads: [] });
    await webhook.post('mappings', { mapping });
    await webhook.post('activate');
    const body = { leads: [{ id: 'a', lead: { id: 'L1' } }] };
    const parent = dataOf(await webhook.send(body)).eventId as string;
    await api.processEvents([parent]);
    const item = await api.connection.collection('events').findOne({ parentId: parent });
    const added = await webhook.post('samples', { eventId: String(item?._id) });
    expect(dataOf(added).body).toEqual(body);
  });

  test('requires an event of the same webhook that still has a body', async () => {
    const [one, other] = [await newWebhook(), await newWebhook()];
    await activate(one);
    const { eventId } = dataOf(await one.send({ id: 'e1' }));
    expect((await other.post('samples', { eventId })).status).toBe(422);
    const events = api.connection.collection('events');
    await events.updateOne({ _id: eventId }, { $set: { delivery: null } });
    expect((await one.post('samples', { eventId })).status).toBe(422);
  });
});

describe('a pinned sample', () => {
  const patch = ({ path }: Webhook, id: string, body: object) =>
    api.ask('PATCH', `${path}/samples/${id}`, { body });

  /** Inserts samples directly, instead of one request for each. */
  async function fill({ id: webhookId }: Webhook, count: number): Promise<string[]> {
    const delivery = { contentType: 'application/json', headers: '{}', query: '{}' };
    const records = Array.from({ length: count }, (_, n) => ({
      _id: newId(),
      webhookId,
      receivedAt: new Date(Date.UTC(2026, 0, 1) + n * 1_000),
      source: 'webhook',
      ...delivery,
      body: Buffer.from('{}'),
    }));
    await api.connection.collection('samples').insertMany(records as never);
    return records.map(({ _id }) => _id);
  }

  test('is never evicted; the oldest others are, beyond 200', async () => {
    const webhook = await newWebhook();
    const [oldest = '', second = '', third = ''] = await fill(webhook, maxSamples + 1);
    const pinned = await patch(webhook, oldest, { pinned: true, name: 'The good one' });
    expect(dataOf(pinned)).toMatchObject({ pinned: true, name: 'The good one' });
    await webhook.send({ id: 'newest' });
    expect(await totalOf(webhook)).toBe(maxSamples + 1);
    const statusOf = async (id: string) =>
      (await api.ask('GET', `${webhook.path}/samples/${id}`)).status;
    expect([await statusOf(oldest), await statusOf(second), await statusOf(third)]).toEqual([
      200, 404, 200,
    ]);
    expect(await totalOf(webhook, '?pinned=true')).toBe(1);
    expect(await totalOf(webhook, '?pinned=false&source=webhook')).toBe(maxSamples);
    const freed = await patch(webhook, oldest, { pinned: false, name: null });
    expect(dataOf(freed)).toMatchObject({ pinned: false, name: null });
    await webhook.send({ id: 'newer still' });
    expect(await statusOf(oldest)).toBe(404);
  });

  test('is one of fifty at most, even with concurrent requests', async () => {
    const webhook = await newWebhook();
    const ids = await fill(webhook, maxPinnedSamples + 2);
    const samples = api.connection.collection('samples');
    const early = ids.slice(0, maxPinnedSamples - 2);
    await Promise.all(
      early.map((_id, pin) => samples.updateOne({ _id: _id as never }, { $set: { pin } })),
    );
    const late = ids.slice(maxPinnedSamples - 2);
    const answers = await Promise.all(late.map((id) => patch(webhook, id, { pinned: true })));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 409, 409]);
    expect(await totalOf(webhook, '?pinned=true')).toBe(maxPinnedSamples);
    const [first = ''] = early;
    expect((await patch(webhook, first, { pinned: true })).status).toBe(200);
    await api.ask('DELETE', `${webhook.path}/samples/${first}`);
    const refused = late.filter((_id, n) => answers[n]?.status === 409);
    expect((await patch(webhook, refused[0] ?? '', { pinned: true })).status).toBe(200);
  });

  test.each([{}, { pinned: 'yes' }, { name: '' }, { body: {} }])(
    'rejects a change such as %j',
    async (body) => {
      const webhook = await newWebhook();
      const [id = ''] = await fill(webhook, 1);
      expect((await patch(webhook, id, body)).status).toBe(422);
    },
  );
});

test('a deleted sample is gone, its webhook keeps its status, and each step is audited', async () => {
  const webhook = await newWebhook();
  const { id } = dataOf(await webhook.post('samples', { body: { secret: 'hush' } }));
  await api.ask('PATCH', `${webhook.path}/samples/${id}`, { body: { pinned: true } });
  const gone = await api.ask('DELETE', `${webhook.path}/samples/${id}`);
  expect([gone.status, dataOf(gone)]).toEqual([200, {}]);
  expect((await api.ask('DELETE', `${webhook.path}/samples/${id}`)).status).toBe(404);
  expect(dataOf(await api.ask('GET', webhook.path)).status).toBe('sampled');
  const rows = await api.connection
    .collection('audit')
    .find({ 'target.id': id })
    .sort({ _id: 1 })
    .toArray();
  expect(rows.map(({ action }) => action)).toEqual([
    'sample.create',
    'sample.change',
    'sample.delete',
  ]);
  expect(rows[1]).toMatchObject({ before: { pinned: false }, after: { pinned: true } });
  expect(JSON.stringify(rows)).not.toContain('hush');
});
