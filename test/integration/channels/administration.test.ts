// Administration of channels: kinds, write-only secrets, deletion; and the secrets of webhooks.
import { createHmac } from 'node:crypto';
import { newId } from '../../../src/base/ids.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { ChannelRecord } from '../../../src/domain/messages/channel.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { rotateSecrets } from '../../../src/store/maintenance/stored-secrets.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, secretKey, type TestApi } from '../../support/context/test-api.ts';
import { startDestination, type Destination } from '../../support/services/destination.ts';
import { pauseChannel, findChannelPauses } from '../../../src/store/channels/channel-rates.ts';

const channels = '/v1/admin/channels';
const webhooks = '/v1/admin/webhooks';
const otherKey = Buffer.alloc(32, 9).toString('base64');
const authorization = 'Bearer not-for-your-eyes';
const secret = 'sender-secret-not-for-your-eyes';
let api: TestApi;
let destination: Destination;

beforeAll(async () => {
  api = await createTestApi('http_channels');
  destination = await startDestination();
});
afterAll(async () => {
  await destination.close();
  await api.close();
});

const stored = {
  channel: async (_id: string) =>
    collectionOf<ChannelRecord>(api.connection, 'channels').findOne({ _id }),
  webhook: async (_id: string) =>
    collectionOf<Webhook>(api.connection, 'webhooks').findOne({ _id }),
};

async function addChannel(settings: object = {}): Promise<string> {
  const given = { url: destination.url, ...settings };
  return aChannel(api, { name: 'Out', kind: 'http', settings: given });
}

const addWebhook = (channelId: string) => aWebhook(api, { channelId });

const everythingStored = async () =>
  JSON.stringify(
    await Promise.all(
      ['channels', 'webhooks', 'audit'].map((name) =>
        api.connection.collection(name).find({}).toArray(),
      ),
    ),
  );

test('the kinds have a list of settings, with the secret ones marked', async () => {
  const { status, body } = await api.ask('GET', `${channels}/kinds`);
  expect(status).toBe(200);
  expect(body.data.kinds).toMatchObject([
    { kind: 'inbox', goesOutside: false, secrets: [] },
    {
      kind: 'http',
      goesOutside: true,
      secrets: ['authorization', 'headers', 'signingSecret'],
      settingsSchema: { properties: { authorization: { writeOnly: true } } },
    },
    { kind: 'smtp', goesOutside: true, secrets: ['password'] },
    { kind: 'telegram', goesOutside: true, secrets: ['botToken'] },
    { kind: 'whatsapp', goesOutside: true, secrets: ['accessToken'] },
  ]);
});

test('secrets of a channel are used and never shown; an omitted one stays, null removes it', async () => {
  const id = await addChannel({ authorization, headers: { 'X-Api-Key': 'not-for-your-eyes' } });
  const { settings, secretsSet } = (await api.ask('GET', `${channels}/${id}`)).body.data;
  expect(settings).toEqual({ url: destination.url });
  expect(secretsSet).toEqual(['authorization', 'headers']);

  const change = { settings: { timeoutSeconds: 3, headers: null } };
  const changed = await api.ask('PATCH', `${channels}/${id}`, { body: change });
  expect(changed.body.data).toMatchObject({
    settings: { url: destination.url, timeoutSeconds: 3 },
    secretsSet: ['authorization'],
  });
  expect((await api.ask('POST', `${channels}/${id}/test`)).body.data.outcome).toBe('delivered');
  expect(destination.posts.at(-1)?.headers).toMatchObject({ authorization });
  expect(destination.posts.at(-1)?.headers).not.toHaveProperty('x-api-key');
  expect(await everythingStored()).not.toContain('not-for-your-eyes');
  expect(api.lines.join('')).not.toContain('not-for-your-eyes');
});

test('a change of the origin gives every secret again or removes it; nothing stored goes to the new origin', async () => {
  const headers = { 'X-Api-Key': 'not-for-your-eyes' };
  const id = await addChannel({ authorization, headers });
  const other = await startDestination();
  const move = (settings: object) =>
    api.ask('PATCH', `${channels}/${id}`, { body: { settings: { url: other.url, ...settings } } });

  const alone = await move({});
  expect([alone.status, alone.body.data.fields.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['/settings/authorization', '/settings/headers'],
  ]);
  const partial = await move({ authorization: 'Bearer other' });
  expect([partial.status, partial.body.data.fields[0].path]).toEqual([422, '/settings/headers']);
  await api.ask('POST', `${channels}/${id}/test`);
  expect(other.posts).toEqual([]);

  const moved = await move({ authorization: null, headers: { 'X-Other': 'other' } });
  expect([moved.status, moved.body.data.secretsSet]).toEqual([200, ['headers']]);
  expect((await api.ask('POST', `${channels}/${id}/test`)).body.data.outcome).toBe('delivered');
  expect(other.posts.at(-1)?.headers).toMatchObject({ 'x-other': 'other' });
  expect(other.posts.at(-1)?.headers).not.toHaveProperty('x-api-key');
  expect(other.posts.at(-1)?.headers).not.toHaveProperty('authorization');
  await other.close();
});

test.each([
  ['another scheme', 'https://127.0.0.1:9/hook', 422],
  ['another port', 'http://127.0.0.1:10/hook', 422],
  ['another host', 'http://127.0.0.2:9/hook', 422],
  ['another path', 'http://127.0.0.1:9/other?page=1', 200],
])('a URL with %s: %s is answered %i without the secrets', async (_what, url, status) => {
  const id = await addChannel({ url: 'http://127.0.0.1:9/hook', authorization });
  const answer = await api.ask('PATCH', `${channels}/${id}`, { body: { settings: { url } } });
  expect(answer.status).toBe(status);
});

test.each<[string, object, string]>([
  ['an authorization over two lines', { authorization: 'a\r\nb' }, '/settings/authorization'],
  ['a signing secret of another shape', { signingSecret: 'short' }, '/settings/signingSecret'],
  ['a header of ours', { headers: { Host: 'x' } }, '/settings/headers'],
])('%s is rejected', async (_what, settings, path) => {
  const body = { name: 'Out', kind: 'http', settings: { url: destination.url, ...settings } };
  const { status, body: answer } = await api.ask('POST', channels, { body });
  expect([status, answer.data.fields[0].path]).toEqual([422, path]);
});

test('a test of a channel reports a secret that no key opens', async () => {
  const id = await addChannel({ authorization });
  const foreign = createVault([otherKey]).seal('"x"', `channel:${id}:authorization`);
  await collectionOf<ChannelRecord>(api.connection, 'channels').updateOne(
    { _id: id },
    { $set: { 'secrets.authorization': foreign } },
  );
  const { data } = (await api.ask('POST', `${channels}/${id}/test`)).body;
  expect(data).toEqual({ outcome: 'failed', reason: 'secret_unreadable' });
});

test('a pause that the destination asked for is shown until it ends', async () => {
  const [id, other] = [await addChannel(), await addChannel()];
  const shown = async () => {
    const { data } = (await api.ask('GET', `${channels}/${id}`)).body;
    const { results } = (await api.ask('GET', `${channels}?per_page=100`)).body.data;
    const pauseOf = (of: string) =>
      results.find((one: { id: string }) => one.id === of).health.pausedUntil;
    expect(pauseOf(other)).toBeNull();
    expect(pauseOf(id)).toBe(data.health.pausedUntil);
    return data.health;
  };
  expect(await shown()).toMatchObject({ state: 'healthy', pausedUntil: null });
  await pauseChannel(api.stores, id, 600_000);
  const until = (await findChannelPauses(api.stores, [id])).get(id);
  expect(await shown()).toMatchObject({ state: 'healthy', pausedUntil: until?.toISOString() });
  const rates = collectionOf<{ _id: string }>(api.connection, 'channelRates');
  await rates.updateOne({ _id: id }, { $set: { pausedUntil: new Date(0) } });
  expect(await shown()).toMatchObject({ pausedUntil: null });
});

test('a channel in use is not deleted, and the answer names its users', async () => {
  const id = await addChannel({ authorization });
  const used = await addWebhook(id);
  const refused = await api.ask('DELETE', `${channels}/${id}`);
  expect(refused.status).toBe(409);
  expect(refused.body.data).toMatchObject({
    code: 'in_use',
    usedBy: [{ type: 'webhook', id: used.id, name: 'Leads' }],
  });
  expect((await api.ask('GET', `${channels}/${id}`)).status).toBe(200);

  await api.ask('POST', `${webhooks}/${used.id}/archive`);
  const deleted = await api.ask('DELETE', `${channels}/${id}`);
  expect([deleted.status, deleted.body.data]).toEqual([200, {}]);
  for (const [method, path] of [
    ['GET', `${channels}/${id}`],
    ['PATCH', `${channels}/${id}`],
    ['DELETE', `${channels}/${id}`],
    ['POST', `${channels}/${id}/test`],
  ] as const) {
    const asked = method === 'PATCH' ? { body: { name: 'x' } } : {};
    expect([path, (await api.ask(method, path, asked)).status]).toEqual([path, 404]);
  }
  const listed = (await api.ask('GET', `${channels}?per_page=200`)).body.data.results;
  expect(listed.map((channel: { id: string }) => channel.id)).not.toContain(id);
  expect(await stored.channel(id)).toMatchObject({ name: 'Out', enabled: false });
  expect(await stored.channel(id)).not.toHaveProperty('secrets');
  const none = await api.ask('POST', webhooks, { body: { name: 'Late', channelId: id } });
  expect([none.status, none.body.data.fields[0].path]).toEqual([422, '/channelId']);
});

test('a channel stays while acknowledged events or deliveries need it', async () => {
  const [from, to] = [await addChannel(), await addChannel()];
  const webhook = await api.addWebhook(undefined, from);
  const { _id: webhookId } = webhook;
  const path = `${webhooks}/${webhookId}`;
  const eventId = await api.send(webhook, { id: newId(), text: 'hi', lead: { id: newId() } });
  await api.ask('PATCH', path, { body: { channelId: to } });
  const users = async () => {
    const { body } = await api.ask('DELETE', `${channels}/${from}`);
    return (body.data.usedBy ?? []).map(
      ({ type, name }: { type: string; name: string }) => `${type} ${name}`,
    );
  };
  expect(await users()).toEqual(['event received']);
  const events = collectionOf<EventRecord>(api.connection, 'events');
  const set = (open: boolean) =>
    events.updateOne(
      { _id: eventId },
      open
        ? { $set: { state: 'received', open } }
        : { $set: { state: 'held' }, $unset: { open: '' } },
    );
  await set(false);
  expect(await users()).toEqual(['event held']);
  await set(true);
  await api.processEvents([eventId]);
  expect(await users()).toEqual(['delivery waiting']);
  const messages = collectionOf<MessageRecord>(api.connection, 'messages');
  await messages.updateOne({ _id: eventId }, { $unset: { 'delivery.open': '' } });
  expect(await users()).toEqual([]);
  expect((await api.ask('GET', `${channels}/${from}`)).status).toBe(404);
});

test('of a concurrent deletion and use of a channel one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await addChannel();
    const [deleted, made] = await Promise.all([
      api.ask('DELETE', `${channels}/${id}`),
      api.ask('POST', webhooks, { body: { name: 'Race', channelId: id } }),
    ]);
    expect([
      [200, 422],
      [409, 201],
    ]).toContainEqual([deleted.status, made.status]);
  }
});

test('a chat keeps the name of the channel that was deleted', async () => {
  const webhook = await api.addWebhook();
  const eventId = await api.send(webhook, { id: newId(), text: 'hello', lead: { id: newId() } });
  await api.processEvents([eventId]);
  await api.ask('POST', `${webhooks}/${webhook._id}/archive`);
  expect((await api.ask('DELETE', `${channels}/${webhook.channelId}`)).status).toBe(200);
  const inbox = await api.addToken(['inbox']);
  const chats = await api.ask('GET', '/v1/chat?status=ura_webhook&per_page=200', { token: inbox });
  const chat = chats.body.data.results.find(
    ({ worker }: { worker: { id: string } }) => worker.id === webhook.channelId,
  );
  expect(chat.worker).toEqual({ id: webhook.channelId, name: 'Inbox' });
});

describe('a webhook’s secrets', () => {
  const body = JSON.stringify({ id: 'e1', lead: { id: 'p1' } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const github = { signature: { scheme: 'github', secrets: [secret] } };

  async function addSigned() {
    const webhook = await addWebhook(await addChannel());
    const set = await api.ask('PATCH', `${webhooks}/${webhook.id}/settings`, { body: github });
    expect(set.body.data.signature.secretsSet).toBe(1);
    const post = async () =>
      (
        await fetch(`${api.url}/v1/webhook/${webhook.key}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-hub-signature-256': `sha256=${signature}`,
          },
          body,
        })
      ).status;
    return { ...webhook, post };
  }

  async function replaceStored(_id: string, sealed: string): Promise<void> {
    await collectionOf<Webhook>(api.connection, 'webhooks').updateOne(
      { _id },
      { $set: { 'settings.signature.secrets': [sealed] } },
    );
  }

  const place = (id: string) => `webhook:${id}:signature.secrets`;

  test('are sealed, and still verify', async () => {
    const { id, post } = await addSigned();
    expect(await post()).toBe(200);
    expect((await stored.webhook(id))?.settings.signature?.secrets[0]).toMatch(/^sealed:1:/);
    expect(await everythingStored()).not.toContain('not-for-your-eyes');
  });

  test('that no key opens give 503, neither success nor 401', async () => {
    const { id, post } = await addSigned();
    await replaceStored(id, createVault([otherKey]).seal(secret, place(id)));
    expect(await post()).toBe(503);
    const samples = await api.ask('GET', `${webhooks}/${id}/samples`);
    expect(samples.body.data.pagings.total).toBe(0);
  });

  test('in clear or under an old key are sealed again once, and verify all the time', async () => {
    const { id, post } = await addSigned();
    const clear = await addSigned();
    await replaceStored(id, createVault([otherKey]).seal(secret, place(id)));
    await replaceStored(clear.id, secret);
    expect(await clear.post()).toBe(200);
    const seen = await stored.webhook(id);
    const vault = createVault([secretKey, otherKey]);
    const first = await rotateSecrets(api.stores, vault);
    expect(first.sealed).toBeGreaterThanOrEqual(2);
    expect([await post(), await clear.post()]).toEqual([200, 200]);
    const after = await stored.webhook(id);
    expect(vault.isCurrent(after?.settings.signature?.secrets[0] ?? '')).toBe(true);
    // A change based on the earlier version does not restore the old text.
    expect(after?.changedAt).not.toEqual(seen?.changedAt);
    expect(await rotateSecrets(api.stores, vault)).toMatchObject({ sealed: 0, missed: 0 });
  });
});
