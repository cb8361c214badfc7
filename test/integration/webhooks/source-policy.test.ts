// The source policy between key and body: IP allowlist and rate limit.
import { once } from 'node:events';
import { connect } from 'node:net';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';

let api: TestApi;
let elapsedMs = 0;
let channelId: string;
beforeAll(async () => {
  const clock = { now: () => new Date(), elapsedMs: () => elapsedMs };
  api = await createTestApi('http_guards', { clock, trustProxy: ['127.0.0.1'] });
  channelId = await aChannel(api);
});
afterAll(() => api.close());

async function addWebhook(settings: object) {
  const { key, path } = await aWebhook(api, { channelId });
  const settingsPath = `${path}/settings`;
  const set = await api.ask('PATCH', settingsPath, { body: settings });
  expect(set.status).toBe(200);
  return { settingsPath, path: `/v1/webhook/${key}`, shown: set.body.data };
}

const post = (path: string, headers: Record<string, string> = {}, raw = '{}') =>
  api.ask('POST', path, { token: null, raw, headers });
const from = (address: string) => ({ 'x-forwarded-for': address });

test.each([
  ['203.0.113.7:51008', 200],
  ['203.0.113.7:51008, 127.0.0.1:443', 200],
  ['203.0.113.7, [::ffff:127.0.0.1]:443, 127.0.0.1', 200],
  ['203.0.113.7, 198.51.100.1:443', 403],
])('the client of %s behind trusted proxies gets %i', async (chain, status) => {
  const { path } = await addWebhook({ allowlist: ['203.0.113.0/24'] });
  expect((await post(path, from(chain))).status).toBe(status);
});

test('a request beyond the rate is 429 with Retry-After, and accepted after that time', async () => {
  const { path } = await addWebhook({ rateLimit: { perSecond: 2, burst: 3 } });
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await post(path));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  const refused = answers[3];
  expect(refused?.body.data.code).toBe('rate_limited');
  expect(
    ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) =>
      refused?.headers.get(name),
    ),
  ).toEqual(['1', '3', '0', '2']);
  elapsedMs += 500;
  expect((await post(path)).status).toBe(200);
  expect((await post(path)).status).toBe(429);
});

test('a rate per minute allows as many requests at once', async () => {
  const { path } = await addWebhook({ rateLimit: { perMinute: 3 } });
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await post(path)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  elapsedMs += 20_000;
  expect((await post(path)).status).toBe(200);
});

test('each webhook has its own rate limit, and removing it ends the limit', async () => {
  const [limited, other] = [
    await addWebhook({ rateLimit: { perMinute: 1 } }),
    await addWebhook({ rateLimit: { perMinute: 1 } }),
  ];
  await post(limited.path);
  expect((await post(limited.path)).status).toBe(429);
  expect((await post(other.path)).status).toBe(200);
  await api.ask('PATCH', limited.settingsPath, { body: { rateLimit: null } });
  expect((await post(limited.path)).status).toBe(200);
});

test('a request beyond the rate is answered before its body has arrived', async () => {
  const { path } = await addWebhook({ rateLimit: { perMinute: 1 } });
  await post(path);
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n{`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(data.toString()).toMatch(/^HTTP\/1\.1 429 /);
});

test.each([
  ['203.0.113.9', 200],
  ['::ffff:203.0.113.9', 200],
  ['2001:db8::77', 200],
  ['198.51.100.7', 200],
  ['198.51.100.8', 403],
  ['2001:db9::1', 403],
  ['unknown', 403],
  ['203.0.113.9, 198.51.100.8', 403],
  ['198.51.100.8, 203.0.113.9', 200],
])('with an allowlist, %s is answered %i', async (address, status) => {
  const { path } = await addWebhook({
    allowlist: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
  });
  const answer = await post(path, from(address));
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body.data.code).toBe('source_not_allowed');
});

test('the key is checked before the address, the address before the rate, the rate before type and size', async () => {
  const { path } = await addWebhook({
    allowlist: ['203.0.113.0/24'],
    rateLimit: { perMinute: 1 },
  });
  const bad = { 'content-type': 'text/csv' };
  const large = 'x'.repeat(1_100_000);
  const wrong = await post('/v1/webhook/inlet_wk_nobody', { ...bad, ...from('1.2.3.4') }, large);
  expect(wrong.status).toBe(401);
  const elsewhere = await post(path, { ...bad, ...from('1.2.3.4') }, large);
  expect(elsewhere.status).toBe(403);
  // The rejection by address did not use the rate limit.
  expect((await post(path, { ...bad, ...from('203.0.113.1') }, large)).status).toBe(415);
  expect((await post(path, { ...bad, ...from('203.0.113.1') }, large)).status).toBe(429);
});

test('the source policy applies to handshakes by GET too; for other producers GET is not allowed', async () => {
  const handshake = { producerProfile: 'meta', handshake: { verifyToken: 'right' } };
  const asking = await addWebhook({ ...handshake, allowlist: ['203.0.113.0/24'] });
  const silent = await addWebhook({ allowlist: ['203.0.113.0/24'] });
  const query = '?hub.mode=subscribe&hub.challenge=1&hub.verify_token=right';
  const get = async (path: string, address: string) => {
    const headers = from(address);
    return (await fetch(`${api.url}${path}${query}`, { headers })).status;
  };
  expect(await get(asking.path, '203.0.113.1')).toBe(200);
  expect(await get(asking.path, '1.2.3.4')).toBe(403);
  expect(await get(silent.path, '1.2.3.4')).toBe(405);
});

test('a rate per second becomes one per minute in one change that removes the other', async () => {
  const { settingsPath } = await addWebhook({ rateLimit: { perSecond: 5, burst: 9 } });
  const change = (rateLimit: object) => api.ask('PATCH', settingsPath, { body: { rateLimit } });
  expect((await change({ perMinute: 60 })).status).toBe(422);
  const changed = await change({ perSecond: null, perMinute: 60 });
  const shown = { perSecond: null, perMinute: 60, burst: 9 };
  expect([changed.status, changed.body.data.rateLimit]).toEqual([200, shown]);
});

test('settings are shown as they were set, and null removes them', async () => {
  const given = {
    rateLimit: { perMinute: 90, burst: 10 },
    allowlist: ['203.0.113.0/24'],
    dedup: { windowDays: 30, overlapHours: 96 },
  };
  const { settingsPath, shown } = await addWebhook(given);
  expect(shown).toMatchObject({ ...given, rateLimit: { perSecond: null, ...given.rateLimit } });
  const gone = { rateLimit: null, allowlist: null, dedup: null };
  const after = await api.ask('PATCH', settingsPath, { body: gone });
  expect(after.body.data).toMatchObject(gone);
});

test.each([
  [{ rateLimit: {} }, '/rateLimit/perSecond'],
  [{ rateLimit: { perSecond: 0 } }, '/rateLimit/perSecond'],
  [{ rateLimit: { perSecond: 1, burst: 0 } }, '/rateLimit/burst'],
  [{ rateLimit: { perSecond: 1.5 } }, '/rateLimit/perSecond'],
  [{ rateLimit: { perSecond: 1, perMinute: 2 } }, '/rateLimit/perMinute'],
  [{ allowlist: [] }, '/allowlist'],
  [{ allowlist: ['203.0.113.0/24', 'example.com', '1.2.3.4/99'] }, '/allowlist/1 /allowlist/2'],
  [{ dedup: { windowDays: 0 } }, '/dedup/windowDays'],
  [{ dedup: { overlapHours: 71 } }, '/dedup/overlapHours'],
])('%j is 422', async (body, paths) => {
  const { settingsPath } = await addWebhook({ retries: { maxAttempts: 3 } });
  const answer = await api.ask('PATCH', settingsPath, { body });
  expect(`${answer.status} ${answer.body.data.code}`).toBe('422 invalid_field');
  const named = answer.body.data.fields.map(({ path }: { path: string }) => path);
  for (const path of paths.split(' ')) expect(named).toContain(path);
});

test('an activation with another event id recipe keeps the old one for the webhook’s grace period', async () => {
  const { settingsPath, path } = await addWebhook({ dedup: { overlapHours: 240 } });
  await post(path);
  const webhook = settingsPath.replace('/settings', '');
  for (const eventId of [{ path: 'id' }, { path: 'uuid' }]) {
    await api.ask('POST', `${webhook}/mappings`, { body: { mapping: { eventId } } });
    await api.ask('POST', `${webhook}/activate`, { body: {} });
  }
  const stored = await getWebhook(api.stores, webhook.split('/').at(-1) ?? '');
  const hours = (Number(stored?.overlaps[0]?.until) - Number(stored?.changedAt)) / 3_600_000;
  expect(hours).toBeCloseTo(240, 1);
});
