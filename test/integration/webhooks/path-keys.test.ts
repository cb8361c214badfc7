import { newId, newSecret, sha256 } from '../../../src/base/ids.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createWebhookCache } from '../../../src/receiving/webhook-cache.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

const hour = 3_600_000;
/** A clock whose time a test sets; cached entries do not age. */
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs), elapsedMs: () => 0 };

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_keys', { clock });
});
afterEach(() => {
  aheadMs = 0;
});
afterAll(() => api.close());

type Rotated = { id: string; url: string; key: string; previousExpiresAt: string | null };
const pathOf = (webhookId: string) => `/v1/admin/webhooks/${webhookId}/keys`;
const rotate = (webhookId: string, body?: object): Promise<Answer> =>
  api.ask('POST', `${pathOf(webhookId)}/rotate`, { body });
async function rotated(webhookId: string, body?: object): Promise<Rotated> {
  const { status, body: answer } = await rotate(webhookId, body);
  if (status !== 201) throw new Error(`Answered ${status}.`);
  return answer.data;
}
/** An active webhook with one key, which the test knows. */
async function webhookWithKey(): Promise<{ id: string; first: Rotated }> {
  const { _id: id } = await api.addWebhook();
  return { id, first: await rotated(id, { overlapHours: 0 }) };
}
const sendWith = async ({ key }: Pick<Rotated, 'key'>): Promise<number> =>
  (await api.ask('POST', `/v1/webhook/${key}`, { token: null, body: { id: newId() } })).status;
const revoke = (webhookId: string, keyId: string) =>
  api.ask('DELETE', `${pathOf(webhookId)}/${keyId}`);
const listed = async (webhookId: string) => {
  const { body } = await api.ask('GET', pathOf(webhookId));
  return body.data.results;
};

test('a new key is shown once, and the previous one is valid for 48 hours', async () => {
  const { id, first } = await webhookWithKey();
  const second = await rotated(id);
  expect(second.key).toMatch(/^inlet_wk_[A-Za-z0-9_-]{43}$/);
  expect(second.url).toBe(`${api.url}/v1/webhook/${second.key}`);
  expect([await sendWith(first), await sendWith(second)]).toEqual([200, 200]);

  const [newest, before] = await listed(id);
  expect(newest).toMatchObject({ id: second.id, lastFour: second.key.slice(-4), expiresAt: null });
  expect(before).toMatchObject({ id: first.id, expiresAt: second.previousExpiresAt });
  expect(Date.parse(before.expiresAt) - Date.parse(newest.createdAt)).toBe(48 * hour);
  const rows = await collectionOf(api.connection, 'audit').find({}).toArray();
  const keys = await collectionOf(api.connection, 'keys').find({}).toArray();
  expect(JSON.stringify([rows, keys, api.lines, newest])).not.toContain(second.key);
  expect(rows.at(-1)).toMatchObject({
    action: 'key.rotate',
    target: { type: 'key', id: second.id },
    before: { webhookId: id, keys: [{ id: first.id, expiresAt: null }] },
    after: { webhookId: id, keys: [{ id: first.id, expiresAt: second.previousExpiresAt }] },
  });
});

test('the overlap ends for a cached key, too', async () => {
  const { id, first } = await webhookWithKey();
  const second = await rotated(id, { overlapHours: 2 });
  aheadMs = 2 * hour - 60_000;
  expect([await sendWith(first), await sendWith(second)]).toEqual([200, 200]);
  aheadMs = 2 * hour + 60_000;
  expect([await sendWith(first), await sendWith(second)]).toEqual([401, 200]);
});

test('without overlap the previous keys end at once, those in an overlap as well', async () => {
  const { id, first } = await webhookWithKey();
  const second = await rotated(id);
  expect([await sendWith(first), await sendWith(second)]).toEqual([200, 200]);
  const third = await rotated(id, { overlapHours: 0 });
  expect(await Promise.all([first, second, third].map(sendWith))).toEqual([401, 401, 200]);
  const [newest, ...others] = await listed(id);
  expect(third.previousExpiresAt).toBe(newest.createdAt);
  const ends = others.map((key: { revokedAt: string }) => key.revokedAt);
  expect(ends.slice(0, 2)).toEqual([newest.createdAt, newest.createdAt]);
});

test('of several previous keys each keeps its own earlier expiry', async () => {
  const { id, first } = await webhookWithKey();
  const second = await rotated(id, { overlapHours: 1 });
  const third = await rotated(id, { overlapHours: 168 });
  const end = (one: Rotated, keys: { id: string; expiresAt: string }[]) =>
    keys.find((key) => key.id === one.id)?.expiresAt;
  const keys = await listed(id);
  expect(end(first, keys)).toBe(second.previousExpiresAt);
  expect(end(second, keys)).toBe(third.previousExpiresAt);
  aheadMs = hour + 60_000;
  expect(await Promise.all([first, second, third].map(sendWith))).toEqual([401, 200, 200]);
});

test('a key may have an expiry, and is rejected after it', async () => {
  const { id } = await webhookWithKey();
  const expiresAt = new Date(Date.now() + hour).toISOString();
  const key = await rotated(id, { expiresAt });
  expect((await listed(id))[0]).toMatchObject({ id: key.id, expiresAt });
  expect(await sendWith(key)).toBe(200);
  aheadMs = hour + 60_000;
  expect(await sendWith(key)).toBe(401);
});

test('a revoked key is rejected at once, and revoked once; the only key may be revoked too', async () => {
  const { id, first } = await webhookWithKey();
  expect(await sendWith(first)).toBe(200);
  await api.countUses();
  const answer = await revoke(id, first.id);
  expect([answer.status, answer.body.data.id]).toEqual([200, first.id]);
  expect(await sendWith(first)).toBe(401);
  const again = await revoke(id, first.id);
  expect([again.status, again.body.data]).toEqual([200, answer.body.data]);
  const rows = collectionOf(api.connection, 'audit');
  expect(await rows.countDocuments({ action: 'key.revoke', 'target.id': first.id })).toBe(1);

  const next = await rotated(id);
  expect([next.previousExpiresAt, await sendWith(next)]).toEqual([null, 200]);
  expect(await sendWith(first)).toBe(401);
});

test('a new process rejects keys that were revoked before its start', async () => {
  const { id, first } = await webhookWithKey();
  const second = await rotated(id);
  await revoke(id, first.id);
  const fresh = createWebhookCache({ ...api.stores, logger: silentLogger() });
  try {
    expect(await fresh.get(sha256(first.key))).toBeNull();
    expect(await fresh.get(sha256(second.key))).toMatchObject({ keyId: second.id });
  } finally {
    fresh.close();
  }
});

test('concurrent rotations all give a valid key', async () => {
  const { id } = await webhookWithKey();
  const all = await Promise.all([rotated(id), rotated(id), rotated(id)]);
  expect(await Promise.all(all.map(sendWith))).toEqual([200, 200, 200]);
  const endless = (await listed(id)).filter((key: { expiresAt: null }) => key.expiresAt === null);
  // The first key was revoked without an expiry.
  expect(endless.filter((key: { revokedAt: null }) => key.revokedAt === null)).toHaveLength(1);
});

test('the use of each key shows whether the old one is still used', async () => {
  const { id, first } = await webhookWithKey();
  for (let times = 0; times < 3; times += 1) await sendWith(first);
  await api.countUses();
  expect((await listed(id))[0]).toMatchObject({ uses: 3, usesSinceRotation: 3 });
  const second = await rotated(id);
  await Promise.all([first, second, second].map(sendWith));
  await api.countUses();
  const [newest, before] = await listed(id);
  expect(newest).toMatchObject({ id: second.id, uses: 2, usesSinceRotation: 2 });
  expect(before).toMatchObject({ id: first.id, uses: 4, usesSinceRotation: 1 });
  expect(Date.parse(newest.lastUsedAt)).toBeGreaterThan(0);
});

test('an archived webhook gets no new key', async () => {
  const { id } = await webhookWithKey();
  await api.ask('POST', `/v1/admin/webhooks/${id}/archive`);
  const { status, body } = await rotate(id);
  expect([status, body.data.code, body.data.state]).toEqual([
    409,
    'invalid_transition',
    'archived',
  ]);
});

test.each([
  [{ overlapHours: -1 }, '/overlapHours'],
  [{ overlapHours: 169 }, '/overlapHours'],
  [{ overlapHours: '48' }, '/overlapHours'],
  [{ overlapHours: null }, '/overlapHours'],
  [{ expiresAt: 'soon' }, '/expiresAt'],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
  [{ key: 'inlet_wk_mine' }, '/key'],
])('a rotation with %j is rejected, and changes nothing', async (body, path) => {
  const { id, first } = await webhookWithKey();
  const answer = await rotate(id, body);
  expect([answer.status, answer.body.data.fields[0].path]).toEqual([422, path]);
  expect(await listed(id)).toHaveLength(2);
  expect(await sendWith(first)).toBe(200);
});

test('a key is found only under its own webhook', async () => {
  const [mine, other] = [await webhookWithKey(), await webhookWithKey()];
  expect((await revoke(other.id, mine.first.id)).status).toBe(404);
  expect((await rotate(newId())).status).toBe(404);
  expect((await api.ask('GET', pathOf(newId()))).status).toBe(404);
  expect(await sendWith(mine.first)).toBe(200);
});

const importKey = (webhookId: string, body: object) => api.ask('POST', pathOf(webhookId), { body });
const keyOfElsewhere = () => {
  const key = newSecret('inlet_wk_');
  return { key, body: { hash: sha256(key), lastFour: key.slice(-4) } };
};

test('a key of another installation is imported by its hash, and posts to the webhook beside its own keys', async () => {
  const { id, first } = await webhookWithKey();
  const { key, body } = keyOfElsewhere();
  const imported = await importKey(id, body);
  expect(imported).toMatchObject({
    status: 201,
    body: { data: { lastFour: body.lastFour, expiresAt: null, revokedAt: null, uses: 0 } },
  });
  expect([await sendWith({ key }), await sendWith(first)]).toEqual([200, 200]);
  const [newest, other] = await listed(id);
  expect([newest, other]).toMatchObject([
    { id: imported.body.data.id },
    { id: first.id, expiresAt: null },
  ]);
  const row = await collectionOf(api.connection, 'audit').findOne({ action: 'key.import' });
  expect(row).toMatchObject({ after: { webhookId: id, lastFour: body.lastFour } });
  expect(JSON.stringify([row, newest, api.lines])).not.toContain(body.hash);
  expect(JSON.stringify([row, newest, api.lines])).not.toContain(key);
});

test('the hashes of valid keys are listed for an import elsewhere', async () => {
  const { id, first } = await webhookWithKey();
  const second = await rotated(id, { overlapHours: 2 });
  const hashes = async () => {
    const { body } = await api.ask('GET', `${pathOf(id)}/hashes`);
    return body.data.keys;
  };
  expect(await hashes()).toEqual([
    { hash: sha256(second.key), lastFour: second.key.slice(-4), expiresAt: null },
    { hash: sha256(first.key), lastFour: first.key.slice(-4), expiresAt: second.previousExpiresAt },
  ]);
  aheadMs = 3 * hour;
  expect(await hashes()).toHaveLength(1);
  await revoke(id, second.id);
  expect(await hashes()).toEqual([]);
});

test('a hash that a key has is not imported again, also when that key is revoked', async () => {
  const { id, first } = await webhookWithKey();
  const { id: otherId } = await webhookWithKey();
  const body = { hash: sha256(first.key), lastFour: first.key.slice(-4) };
  const conflict = {
    status: 409,
    body: { data: { code: 'conflict', fields: [{ path: '/hash' }] } },
  };
  expect(await importKey(id, body)).toMatchObject(conflict);
  expect(await importKey(otherId, body)).toMatchObject(conflict);
  await revoke(id, first.id);
  expect(await importKey(otherId, body)).toMatchObject(conflict);
  expect(await sendWith(first)).toBe(401);
  const twice = keyOfElsewhere();
  const answers = await Promise.all([id, otherId].map((one) => importKey(one, twice.body)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
});

test.each<[string, object, string]>([
  ['no hash', { hash: 'abc' }, '/hash'],
  ['upper case', { hash: sha256('x').toUpperCase() }, '/hash'],
  ['the hash of an empty key', { hash: sha256('') }, '/hash'],
  ['the whole key', { lastFour: 'inlet_wk_0123456789' }, '/lastFour'],
  ['a time that is past', { expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
])('%s is not imported', async (_what, given, path) => {
  const { id } = await webhookWithKey();
  expect(await importKey(id, { ...keyOfElsewhere().body, ...given })).toMatchObject({
    status: 422,
    body: { data: { code: 'invalid_field', fields: [{ path }] } },
  });
});

test('no key is imported into an archived webhook', async () => {
  const { id } = await webhookWithKey();
  const { body } = keyOfElsewhere();
  await api.ask('POST', `/v1/admin/webhooks/${id}/archive`);
  expect(await importKey(id, body)).toMatchObject({
    status: 409,
    body: { data: { code: 'invalid_transition' } },
  });
});
