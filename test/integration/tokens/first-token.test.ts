import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { sha256 } from '../../../src/base/ids.ts';
import { authenticateToken, ensureFirstToken } from '../../../src/api/access/tokens.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_tokens');
});
afterAll(() => api.close());

const logger = silentLogger();
const contextWith = (adminToken = '') => ({
  ...api.context,
  adminToken,
  recheckStreams: () => {},
  logger,
});
const statusOf = async (path: string, token: string) =>
  (await api.ask('GET', path, { token })).status;

test('the environment’s token makes the printed one unnecessary', async () => {
  expect(await ensureFirstToken(contextWith('a-token-from-outside'))).toBeNull();
});

test('the first token is printed by one of many processes that start at once, and works', async () => {
  const printed = await Promise.all(
    Array.from({ length: 5 }, () => ensureFirstToken(contextWith())),
  );
  const [token, ...others] = printed.filter((one) => one !== null);
  expect(others).toEqual([]);
  expect(await statusOf('/v1/admin/webhooks', token ?? '')).toBe(200);
  expect(await ensureFirstToken(contextWith())).toBeNull();
});

test('the environment’s token is valid only while it is set', async () => {
  const token = 'a-token-from-outside';
  await expect(authenticateToken(contextWith(token), token)).resolves.toMatchObject({
    scopes: ['admin'],
  });
  await expect(authenticateToken(contextWith(), token)).rejects.toMatchObject({
    code: 'invalid_token',
  });
});

const reads = '/v1/admin/webhooks';
const chats = '/v1/chat?status=my_chats';

test.each([
  ['admin', [200, 200, 422]],
  ['operator', [200, 403, 403]],
  ['viewer', [200, 403, 403]],
  ['inbox', [403, 200, 403]],
] as const)('the scope %s permits the scopes that it includes', async (scope, expected) => {
  const token = await api.addToken([scope]);
  const write = await api.ask('POST', '/v1/admin/channels', { token, body: {} });
  const seen = [await statusOf(reads, token), await statusOf(chats, token), write.status];
  expect(seen).toEqual([...expected]);
});

test('the last use is recorded, at most once a minute', async () => {
  const token = await api.addToken(['viewer']);
  const stored = () => api.stores.tokens.findByHash(sha256(token));
  await statusOf(reads, token);
  let first = (await stored())?.lastUsedAt;
  for (let tries = 0; !first && tries < 3_000; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    first = (await stored())?.lastUsedAt;
  }
  expect(first).toBeInstanceOf(Date);
  await statusOf(reads, token);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await stored())?.lastUsedAt).toEqual(first);
});
