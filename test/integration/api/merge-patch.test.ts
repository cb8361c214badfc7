// PATCH is a JSON merge patch: given members are set, also in nested objects, and null removes a member.
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { findChannel } from '../../../src/store/channels/channels.ts';

let api: TestApi;
let channelId: string;

beforeAll(async () => {
  api = await createTestApi('http_patches');
  const settings = {
    url: 'http://127.0.0.1:9/hook',
    region: 'BR',
    timeoutSeconds: 5,
    headers: { 'X-One': 'secret-one', 'X-Two': 'secret-two' },
  };
  channelId = await aChannel(api, { name: 'Out', kind: 'http', settings });
});
afterAll(() => api.close());

const patch = (path: string, body: unknown, contentType = 'application/merge-patch+json') =>
  api.ask('PATCH', path, {
    raw: JSON.stringify(body),
    headers: { 'content-type': contentType },
  });

async function addSettings(): Promise<string> {
  const { path } = await aWebhook(api, { channelId });
  return `${path}/settings`;
}

test.each(['application/merge-patch+json', 'application/json', 'application/json; charset=utf-8'])(
  '%s is accepted, and a patch of another kind is not',
  async (type) => {
    const path = `/v1/admin/channels/${channelId}`;
    expect((await patch(path, { name: 'Out' }, type)).status).toBe(200);
    const other = await patch(path, { name: 'Out' }, 'application/json-patch+json');
    expect(other.status).toBe(415);
  },
);

test('the settings of a channel are merged, secret ones too', async () => {
  const path = `/v1/admin/channels/${channelId}`;
  const given = { region: null, timeoutSeconds: 7, headers: { 'X-One': null, 'X-Three': 'three' } };
  const changed = await patch(path, { settings: given });
  expect(changed.body.data).toMatchObject({
    settings: { url: 'http://127.0.0.1:9/hook', timeoutSeconds: 7 },
    secretsSet: ['headers'],
  });
  expect(changed.body.data.settings).not.toHaveProperty('region');
  const channel = await findChannel(api.stores, channelId);
  const sealed = channel?.secrets?.headers ?? '';
  expect(JSON.parse(api.vault.open(sealed, `channel:${channelId}:headers`))).toEqual({
    'X-Two': 'secret-two',
    'X-Three': 'three',
  });
});

test.each([
  [{ settings: { url: null } }, '/settings/url'],
  [{ settings: { headers: { 'X-One': 1 } } }, '/settings/headers/X-One'],
  [{ name: null }, '/name'],
  [{ settings: { unknown: 1 } }, '/settings/unknown'],
])('a channel is not patched by %j', async (body, place) => {
  const answer = await patch(`/v1/admin/channels/${channelId}`, body);
  expect([answer.status, answer.body.data.fields[0].path]).toEqual([422, place]);
});

test('the settings of a webhook are merged within their parts', async () => {
  const path = await addSettings();
  const steps: [patch: object, shown: object][] = [
    [
      { signature: { scheme: 'github', secrets: ['one', 'two'] }, retries: { maxAttempts: 3 } },
      { signature: { scheme: 'github', secretsSet: 2 }, retries: { maxAttempts: 3 } },
    ],
    [
      { signature: { toleranceSeconds: 60 }, retries: { delaysSeconds: [1, 2] } },
      {
        signature: { scheme: 'github', toleranceSeconds: 60, secretsSet: 2 },
        retries: { maxAttempts: 3, delaysSeconds: [1, 2] },
      },
    ],
    [
      { retries: { maxAttempts: null }, handshake: { verifyToken: 'a', challenge: 'meta' } },
      {
        retries: { maxAttempts: null, delaysSeconds: [1, 2] },
        handshake: { challenge: 'meta', verifyTokenSet: true },
      },
    ],
    [
      { handshake: { verifyToken: null }, signature: { toleranceSeconds: null } },
      {
        handshake: { challenge: 'meta', verifyTokenSet: false },
        signature: { scheme: 'github', toleranceSeconds: null, secretsSet: 2 },
      },
    ],
    [
      { signature: null, rateLimit: { perSecond: 5, burst: 9 }, producerProfile: 'shopify' },
      { signature: null, rateLimit: { perSecond: 5, burst: 9 }, producerProfile: 'shopify' },
    ],
    [
      { rateLimit: { perSecond: null, perMinute: 60 }, producerProfile: null },
      {
        rateLimit: { perSecond: null, perMinute: 60, burst: 9 },
        producerProfile: 'generic',
        retries: { maxAttempts: null, delaysSeconds: [1, 2] },
      },
    ],
  ];
  for (const [body, shown] of steps) {
    const answer = await patch(path, body);
    expect([answer.status, answer.body.data]).toMatchObject([200, shown]);
  }
});

test.each([
  [{ retries: { maxAttempts: null } }, '/retries'],
  [{ answer: { status: 202 } }, '/answer/contentType'],
  [{ rateLimit: { burst: 3 } }, '/rateLimit/perSecond'],
  [{ signature: { scheme: { kind: 'hmac' } } }, '/signature/scheme'],
])('the patch %j is rejected because of its result, at %s', async (body, place) => {
  const path = await addSettings();
  expect((await patch(path, { retries: { maxAttempts: 3 } })).status).toBe(200);
  const answer = await patch(path, body);
  expect([answer.status, answer.body.data.code]).toEqual([422, 'invalid_field']);
  expect(answer.body.data.fields.map((field: { path: string }) => field.path)).toContain(place);
  expect((await api.ask('GET', path)).body.data.retries).toMatchObject({ maxAttempts: 3 });
});

test('concurrent patches of different parts are all applied', async () => {
  const path = await addSettings();
  const patches = [
    { retries: { maxAttempts: 3 } },
    { retries: { delaysSeconds: [5] } },
    { rateLimit: { perSecond: 1 } },
  ];
  const answers = await Promise.all(patches.map((body) => patch(path, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await api.ask('GET', path)).body.data).toMatchObject({
    retries: { maxAttempts: 3, delaysSeconds: [5] },
    rateLimit: { perSecond: 1 },
  });
});
