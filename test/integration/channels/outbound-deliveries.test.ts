// Outbound channels and their deliveries: read, test and retry.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { newId } from '../../../src/base/ids.ts';
import { startTestDelivery } from '../../support/context/delivery.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import type { Answer, RequestOptions } from '../../support/context/api-request.ts';
import { createTestApi, secretKey, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';
import {
  respondWith,
  neverRespond,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let destination: Destination;
let dispatcher: ReturnType<typeof startTestDelivery>;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  api = await createTestApi('http_deliveries');
  ajv.addSchema((await api.ask('GET', '/v1/openapi.json', { token: null })).body as object, 'api');
  dispatcher = startTestDelivery(api, { secretKeys: [secretKey] });
});
beforeEach(async () => {
  destination = await startDestination();
});
afterEach(() => destination.close());
afterAll(async () => {
  await dispatcher.close();
  await api.close();
});

const channels = '/v1/admin/channels';
const deliveries = '/v1/admin/deliveries';

/** Validates an answer against the OpenAPI document; `path` is a template. */
function holdToContract(template: string, method: string, { status, body }: Answer): void {
  const place = `paths/${template.replaceAll('/', '~1')}/${method}/responses/${status}`;
  const validate = ajv.compile({
    $ref: `api#/${encodeURI(place)}/content/application~1json/schema`,
  });
  validate(body);
  expect({ place, errors: validate.errors }).toEqual({ place, errors: null });
}

async function addChannel(settings: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Out', kind: 'http', settings: { url: destination.url, ...settings } };
  const made = await api.ask('POST', channels, { body });
  expect(made.status).toBe(201);
  holdToContract(channels, 'post', made);
  return made.body.data.id;
}

async function say(): Promise<{ id: string; eventId: string; channelId: string }> {
  const webhook = await api.addWebhook(leadMapping, await addChannel());
  const eventId = await api.send(webhook, { id: newId(), text: 'olá', lead: { id: newId() } });
  await api.processEvents([eventId]);
  return { id: eventId, eventId, channelId: webhook.channelId };
}

const became = (id: string, state: string) =>
  waitForValue(`${id} is ${state}`, async () => {
    const read = await api.ask('GET', `${deliveries}/${id}`);
    return read.body.data.state === state ? read : undefined;
  });

test.each<[string, unknown, string]>([
  ['no settings', undefined, '/settings'],
  ['no URL', {}, '/settings/url'],
  ['a URL of another kind', { url: 'ftp://example.com' }, '/settings/url'],
  ['what is no URL', { url: 'https://' }, '/settings/url'],
  ['credentials', { url: 'https://me:secret@example.com/' }, '/settings/url'],
  ['a private address', { url: 'https://10.0.0.1/' }, '/settings/url'],
  ['a mapped address', { url: 'https://[::ffff:127.0.0.1]/' }, '/settings/url'],
  ['another rule', { url: 'https://example.com', onUnknown: 'maybe' }, '/settings/onUnknown'],
  ['a long time', { url: 'https://example.com', timeoutSeconds: 15 }, '/settings/timeoutSeconds'],
  ['something else', { url: 'https://example.com', secret: 'x' }, '/settings/secret'],
  ['no such region', { url: 'https://example.com', region: 'ZZ' }, '/settings/region'],
])('a channel with %s can be neither created nor patched', async (_what, settings, path) => {
  const ask: RequestOptions = { body: { name: 'Out', kind: 'http', settings } };
  const refused = await api.ask('POST', channels, ask);
  expect(refused.status).toBe(422);
  expect(refused.body.data.fields).toEqual([{ path, message: expect.any(String) }]);
  expect(refused.text).not.toContain('secret@');
  if (settings === undefined) return;
  const id = await addChannel();
  const merged = { url: null, ...(settings as object) };
  const unchanged = await api.ask('PATCH', `${channels}/${id}`, { body: { settings: merged } });
  expect([unchanged.status, unchanged.body.data.fields[0].path]).toEqual([422, path]);
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['keep', false],
  ['send', true],
])(
  'the message of an event in an smtp channel with eventMessages %s is sent: %s',
  async (...given) => {
    const [eventMessages, isSent] = given;
    const server = { host: '127.0.0.1', port: 9, security: 'none', from: 'desk@example.org' };
    const settings = { ...server, ...(eventMessages && { eventMessages }) };
    const body = { name: 'Mail', kind: 'smtp', settings };
    const { id: channelId } = (await api.ask('POST', channels, { body })).body.data;
    const webhook = await api.addWebhook(leadMapping, channelId);
    const eventId = await api.send(webhook, { id: newId(), text: 'olá', lead: { id: newId() } });
    await api.processEvents([eventId]);
    const { state } = (await api.ask('GET', `/v1/admin/events/${eventId}`)).body.data;
    const delivery = await api.ask('GET', `${deliveries}/${eventId}`);
    expect([state, delivery.status]).toEqual(['done', isSent ? 200 : 404]);
  },
);

test('an inbox accepts no URL', async () => {
  const body = { name: 'In', kind: 'inbox', settings: { url: 'https://example.com' } };
  const refused = await api.ask('POST', channels, { body });
  expect([refused.status, refused.body.data.fields[0].path]).toEqual([422, '/settings/url']);
});

test('the audit log records who changed what in a channel, without the path of its URL', async () => {
  const id = await addChannel();
  const settings = { url: `${destination.url}?token=hidden`, onUnknown: 'hold' };
  const changed = await api.ask('PATCH', `${channels}/${id}`, {
    body: { name: 'New', enabled: false, settings },
  });
  holdToContract(`${channels}/{id}`, 'patch', changed);
  expect(changed.body.data).toMatchObject({ id, name: 'New', enabled: false, settings });
  expect((await api.ask('GET', `${channels}/${id}`)).body.data).toEqual(changed.body.data);
  const { origin } = new URL(destination.url);
  const rows = await api.connection
    .collection('audit')
    .find({ 'target.id': id })
    .sort({ _id: 1 })
    .toArray();
  expect(rows.map(({ action }) => action)).toEqual(['channel.create', 'channel.change']);
  expect(rows[1]).toMatchObject({
    before: { name: 'Out', enabled: true, settings: { url: `${origin}/***` } },
    after: {
      name: 'New',
      enabled: false,
      settings: { url: `${origin}/*** (changed)`, onUnknown: 'hold' },
    },
  });
  expect(JSON.stringify(rows)).not.toContain('hidden');
});

test('a channel test sends a marked message and reports the outcome', async () => {
  const id = await addChannel();
  const tried = await api.ask('POST', `${channels}/${id}/test`);
  holdToContract(`${channels}/{id}/test`, 'post', tried);
  expect(tried.body.data).toEqual({ outcome: 'delivered', reason: null });
  expect(destination.posts[0]?.body).toMatchObject({ test: true, eventId: null, contact: null });
  for (const [how, reason] of [
    [respondWith(404), 'destination_rejected:404'],
    [neverRespond, 'destination_unavailable:timeout'],
  ] as const) {
    destination.answerWith(how);
    if (how === neverRespond) {
      const body = { settings: { timeoutSeconds: 1 } };
      await api.ask('PATCH', `${channels}/${id}`, { body });
    }
    const failed = await api.ask('POST', `${channels}/${id}/test`);
    expect(failed.body.data).toEqual({ outcome: 'failed', reason });
  }
  expect(await api.connection.collection('messages').countDocuments({ channelId: id })).toBe(0);
});

test('a message is shown as sent once its destination has it', async () => {
  let let200 = () => {};
  destination.answerWith((response) => void (let200 = () => void response.writeHead(200).end()));
  const { id } = await say();
  const { chatId } = (await became(id, 'sending')).body.data;
  const shown = async () =>
    (await api.ask('GET', `/v1/chat/${chatId}`)).body.data.results[0].summary;
  expect(await shown()).toEqual({ is_sent: false, is_delivered: false, is_seen: false });
  await waitForValue('the message', () => destination.posts[0]);
  let200();
  await became(id, 'delivered');
  expect(await shown()).toEqual({ is_sent: true, is_delivered: true, is_seen: false });
});

test('a dead delivery is found by its reason and sent again after the channel is fixed', async () => {
  destination.answerWith(respondWith(410));
  const { id, eventId, channelId } = await say();
  const dead = await became(id, 'dead');
  holdToContract(`${deliveries}/{id}`, 'get', dead);
  expect(dead.body.data).toMatchObject({
    id,
    eventId,
    channelId,
    reason: 'destination_rejected:410',
    attempts: 1,
    nextAt: null,
  });
  const search = `${deliveries}?state=dead&reason=destination_rejected:410&channelId=${channelId}`;
  const listed = await api.ask('GET', `${search}&sort_by=-finishedAt`);
  holdToContract(deliveries, 'get', listed);
  expect(listed.body.data.results).toEqual([dead.body.data]);
  expect((await api.ask('GET', `${deliveries}?state=waiting,sending`)).body.data.results).toEqual(
    [],
  );
  expect((await api.ask('GET', `/v1/admin/events/${eventId}`)).body.data.state).toBe('done');

  const reachable = await startDestination();
  const body = { settings: { url: reachable.url } };
  expect((await api.ask('PATCH', `${channels}/${channelId}`, { body })).status).toBe(200);
  const again = await api.ask('POST', `${deliveries}/${id}/retry`);
  holdToContract(`${deliveries}/{id}/retry`, 'post', again);
  await became(id, 'delivered');
  expect(reachable.posts.map(({ headers }) => headers['idempotency-key'])).toEqual([id]);
  await reachable.close();

  const refused = await api.ask('POST', `${deliveries}/${id}/retry`);
  expect(refused.status).toBe(409);
  expect(refused.body.data).toMatchObject({ code: 'invalid_transition', state: 'delivered' });
  const rows = await auditRows(api, { targetId: id });
  expect(rows).toMatchObject([
    {
      action: 'delivery.retry',
      target: { type: 'delivery' },
      before: { state: 'dead', reason: 'destination_rejected:410', attempts: 1 },
      after: { state: 'waiting', reason: null, attempts: 0 },
    },
  ]);
});

test('a message without a delivery is not found', async () => {
  const webhook = await api.addWebhook();
  const eventId = await api.send(webhook, { id: newId(), lead: { id: newId() } });
  await api.processEvents([eventId]);
  for (const id of [eventId, newId()]) {
    expect((await api.ask('GET', `${deliveries}/${id}`)).status).toBe(404);
    expect((await api.ask('POST', `${deliveries}/${id}/retry`)).status).toBe(404);
  }
});
