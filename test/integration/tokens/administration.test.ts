import { sha256 } from '../../../src/base/ids.ts';
import { authenticateToken, revokeToken } from '../../../src/api/access/tokens.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

const path = '/v1/admin/tokens';
const day = 86_400_000;
const tomorrow = () => new Date(Date.now() + day).toISOString();

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_token_admin');
});
afterAll(() => api.close());

const make = (body: object): Promise<Answer> => api.ask('POST', path, { body });
async function made(body: object): Promise<{ id: string; token: string }> {
  const { status, body: answer } = await make({ name: 'A token', scopes: ['viewer'], ...body });
  if (status !== 201) throw new Error(`Answered ${status}.`);
  return answer.data;
}
const statusWith = async (token: string) =>
  (await api.ask('GET', '/v1/admin/webhooks', { token })).status;
const rowsOf = (id: string) =>
  collectionOf<{ _id: string } & Record<string, unknown>>(api.connection, 'audit')
    .find({ 'target.id': id }, { sort: { _id: 1 } })
    .toArray();

test('a token is shown once, and stored as its hash', async () => {
  const expiresAt = tomorrow();
  const { status, body } = await make({
    name: 'Console',
    scopes: ['operator', 'inbox'],
    expiresAt,
  });
  expect(status).toBe(201);
  const { token, ...shown } = body.data;
  expect(token).toMatch(/^inlet_at_[A-Za-z0-9_-]{43}$/);
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'Console',
    scopes: ['operator', 'inbox'],
    restriction: null,
    maskContacts: false,
    createdAt: expect.any(String),
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  });
  expect(await statusWith(token)).toBe(200);
  const read = await api.ask('GET', `${path}/${shown.id}`);
  expect(read.body.data).toEqual({ ...shown, lastUsedAt: read.body.data.lastUsedAt });
  const stored = await api.stores.tokens.get(shown.id);
  expect(stored?.hash).toBe(sha256(token));
  expect(JSON.stringify([stored, await rowsOf(shown.id), api.lines])).not.toContain(token);
});

test.each([
  ['nothing', {}, ['/name', '/scopes']],
  ['no scope', { name: 'x', scopes: [] }, ['/scopes']],
  ['an unknown scope', { name: 'x', scopes: ['root'] }, ['/scopes/0']],
  ['a scope twice', { name: 'x', scopes: ['viewer', 'viewer'] }, ['/scopes']],
  ['a blank name', { name: ' ', scopes: ['viewer'] }, ['/name']],
  ['no date', { name: 'x', scopes: ['viewer'], expiresAt: 'soon' }, ['/expiresAt']],
  [
    'a date that is over',
    { name: 'x', scopes: ['viewer'], expiresAt: '2020-01-01T00:00:00Z' },
    ['/expiresAt'],
  ],
  ['an empty restriction', { name: 'x', scopes: ['viewer'], webhookIds: [] }, ['/webhookIds']],
  [
    'ids of nothing',
    {
      name: 'x',
      scopes: ['viewer'],
      webhookIds: ['00000000-0000-4000-8000-000000000000'],
      channelIds: ['00000000-0000-4000-8000-000000000000'],
    },
    ['/webhookIds/0', '/channelIds/0'],
  ],
  ['a token of one’s own', { name: 'x', scopes: ['viewer'], token: 'inlet_at_x' }, ['/token']],
] as const)('a token cannot be created with %s', async (_what, body, places) => {
  const { status, body: answer } = await make(body);
  expect(status).toBe(422);
  expect(answer.data.fields.map((field: { path: string }) => field.path)).toEqual([...places]);
});

test('a token may be restricted to webhooks and channels that exist', async () => {
  const webhook = await api.addWebhook();
  const restriction = { webhookIds: [webhook._id], channelIds: [webhook.channelId] };
  const { id, token } = await made(restriction);
  const read = await api.ask('GET', `${path}/${id}`);
  expect(read.body.data.restriction).toEqual(restriction);
  const other = await api.addWebhook();
  const seen = await api.ask('GET', '/v1/admin/webhooks', { token });
  expect(seen.text).toContain(webhook._id);
  expect(seen.text).not.toContain(other._id);
});

test('tokens are found by a part of the name, by scope and by state, and sorted', async () => {
  const names = ['Zapier (x.y)', 'zap two', 'Other zaps'];
  const ids: string[] = [];
  for (const name of names) ids.push((await made({ name, scopes: ['inbox'] })).id);
  await api.ask('DELETE', `${path}/${ids[1]}`);
  const ask = async (query: string) => {
    const { status, body } = await api.ask('GET', `${path}?${query}`);
    expect(status).toBe(200);
    return body.data.results.map((one: { name: string }) => one.name);
  };
  expect(await ask('search=zap&sort_by=name')).toEqual(['Other zaps', 'Zapier (x.y)', 'zap two']);
  expect(await ask('search=ZAP&sort_by=-name&state=active')).toEqual([names[0], names[2]]);
  expect(await ask('search=zap&state=revoked,expired')).toEqual([names[1]]);
  expect(await ask('search=(x.y)')).toEqual([names[0]]);
  expect(await ask('search=.*')).toEqual([]);
  expect(await ask('search=zap&scope=viewer')).toEqual([]);
  expect(await ask(`name=${encodeURIComponent('zap two')}`)).toEqual(['zap two']);
  expect((await api.ask('GET', `${path}?sort_by=hash`)).status).toBe(400);
});

test('every order of a list of tokens has its index', async () => {
  const tokens = collectionOf<{ _id: string }>(api.connection, 'tokens');
  const indexes = await tokens.indexes();
  expect(indexes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['by_hash', 'by_creation', 'by_name', 'by_use']),
  );
  const results = await Promise.all(
    ['name', '-name', 'createdAt', '-createdAt', 'lastUsedAt', '-lastUsedAt'].map((order) =>
      api.ask('GET', `${path}?sort_by=${order}&state=active&scope=viewer`),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(Array(6).fill(200));
});

test('a token gets another name and expiry, with a row in the audit log', async () => {
  const { id, token } = await made({ name: 'Before' });
  const expiresAt = tomorrow();
  const changed = await api.ask('PATCH', `${path}/${id}`, { body: { name: 'After', expiresAt } });
  expect(changed.body.data).toMatchObject({ name: 'After', expiresAt });
  const endless = await api.ask('PATCH', `${path}/${id}`, { body: { expiresAt: null } });
  expect(endless.body.data).toMatchObject({ name: 'After', expiresAt: null });
  expect((await api.ask('PATCH', `${path}/${id}`, { body: { scopes: ['admin'] } })).status).toBe(
    422,
  );
  expect((await api.ask('PATCH', `${path}/${id}`, { body: {} })).status).toBe(422);
  const over = { expiresAt: '2020-01-01T00:00:00Z' };
  expect((await api.ask('PATCH', `${path}/${id}`, { body: over })).status).toBe(422);
  const rows = await rowsOf(id);
  expect(rows.map(({ action }) => action)).toEqual([
    'token.create',
    'token.change',
    'token.change',
  ]);
  expect(rows[1]).toMatchObject({ before: { name: 'Before' }, after: { name: 'After' } });
  expect(await statusWith(token)).toBe(200);
});

test('a revoked token is rejected from the next request on, permanently, and revoked once', async () => {
  const { id, token } = await made({});
  expect(await statusWith(token)).toBe(200);
  const revoked = await api.ask('DELETE', `${path}/${id}`);
  expect(revoked.status).toBe(200);
  expect(revoked.body.data).toMatchObject({ id, revokedAt: expect.any(String) });
  expect(await statusWith(token)).toBe(401);
  const again = await api.ask('DELETE', `${path}/${id}`);
  expect([again.status, again.body.data.revokedAt]).toEqual([200, revoked.body.data.revokedAt]);
  const renamed = await api.ask('PATCH', `${path}/${id}`, { body: { name: 'Back' } });
  expect([renamed.status, renamed.body.data.state]).toEqual([409, 'revoked']);
  expect((await rowsOf(id)).map(({ action }) => action)).toEqual(['token.create', 'token.revoke']);
});

const recheckStreams = () => {};

test('a token expires by the service’s clock', async () => {
  const { token } = await made({ expiresAt: tomorrow() });
  const at = (ms: number) => {
    const clock = { now: () => new Date(Date.now() + ms), elapsedMs: () => 0 };
    const ctx = { ...api.context, adminToken: '', recheckStreams, logger: silentLogger(), clock };
    return authenticateToken(ctx, token);
  };
  await expect(at(day - 60_000)).resolves.toMatchObject({ name: 'A token' });
  await expect(at(day + 60_000)).rejects.toMatchObject({
    code: 'invalid_token',
  });
});

describe('the last unrestricted administrator token', () => {
  const actor = { tokenId: 'test', name: 'test' };
  const revoke = (id: string, adminToken = '') =>
    revokeToken({ ...api.context, adminToken, recheckStreams, logger: silentLogger() }, id, actor);
  const lastAdmin = { code: 'invalid_transition', details: { state: 'last_admin' } };
  let first: string;
  let second: string;
  beforeEach(async () => {
    await collectionOf(api.connection, 'tokens').deleteMany({});
    first = (await made({ scopes: ['admin'] })).id;
    second = (await made({ scopes: ['admin'] })).id;
  });

  test('is not revoked by accident', async () => {
    await revoke(first);
    await expect(revoke(second)).rejects.toMatchObject(lastAdmin);
    expect((await api.stores.tokens.get(second))?.revokedAt).toBeNull();
    expect(await rowsOf(second)).toHaveLength(1);
  });

  test('is neither restricted nor expired, and has no other scope', async () => {
    const webhook = await api.addWebhook();
    await made({ scopes: ['admin'], webhookIds: [webhook._id] });
    await made({ scopes: ['operator', 'viewer', 'inbox'] });
    const { id } = await made({ scopes: ['admin'], expiresAt: tomorrow() });
    await api.stores.tokens.change(id, { expiresAt: new Date(0) }, actor);
    await revoke(first);
    await expect(revoke(second)).rejects.toMatchObject(lastAdmin);
  });

  test('can be revoked while the environment gives one', async () => {
    await revoke(first, 'a-token-of-the-environment');
    const last = await revoke(second, 'a-token-of-the-environment');
    expect(last.revokedAt).toBeInstanceOf(Date);
  });

  test('stays, when two people revoke each other’s at once', async () => {
    const results = await Promise.allSettled([first, second].map((id) => revoke(id)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { total } = await api.stores.tokens.list(
      { state: ['active'] },
      { skip: 0, limit: 10, sort: { createdAt: -1 } },
    );
    expect(total).toBe(1);
  });
});
