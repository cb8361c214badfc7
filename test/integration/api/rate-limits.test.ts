// Rate limits: of tokens on the inbox APIs, and of clients with wrong keys and tokens.
import { aWebhook } from '../../support/context/builders.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { newId } from '../../../src/base/ids.ts';

let api: TestApi;
let elapsedMs = 0;
let delays: number[] = [];
beforeAll(async () => {
  api = await createTestApi('http_limits', {
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
    trustProxy: ['127.0.0.1'],
    requestsPerMinute: 3,
    wait: (ms) => {
      delays.push(ms);
      return Promise.resolve();
    },
  });
});
beforeEach(() => (delays = []));
afterAll(() => api.close());

const quotaOf = ({ headers }: Answer, prefix = 'x-ratelimit') =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`${prefix}-${name}`)));

const chats = '/v1/chat?status=my_chats';

test('the inbox limits requests per token and minute; every answer has the remaining quota, and one more is 429', async () => {
  const token = await api.addToken(['inbox']);
  const ask = (path: string) => api.ask('GET', path, { token });
  const found = await ask(chats);
  const notFound = await ask(`/v1/chat/${newId()}`);
  elapsedMs += 20_000;
  const wrong = await ask('/v1/chat?status=nothing');
  expect([found, notFound, wrong].map(({ status }) => status)).toEqual([200, 404, 400]);
  expect([found, notFound, wrong].map((answer) => quotaOf(answer))).toEqual([
    [3, 2, 60],
    [3, 1, 60],
    [3, 0, 40],
  ]);
  const refused = await ask(chats);
  expect(`${refused.status} ${refused.body.data.code}`).toBe('429 rate_limited');
  expect(refused.headers.get('retry-after')).toBe('40');
  expect([quotaOf(refused), quotaOf(refused, 'ratelimit')]).toEqual([
    [3, 0, 40],
    [3, 0, 40],
  ]);
  elapsedMs += 40_000;
  expect((await ask(chats)).status).toBe(200);
});

test('each contact of a batch counts as a request for a token with masked contacts', async () => {
  const made = await api.ask('POST', '/v1/admin/tokens', {
    body: { name: 'Masked', scopes: ['inbox'], maskContacts: true },
  });
  const batch = (items: number, token: string) =>
    api.ask('POST', '/v1/chat/contacts/batch', {
      token,
      body: { contacts: Array.from({ length: items }, () => ({ name: 'Ana' })) },
    });
  const { token } = made.body.data;
  const first = await batch(2, token);
  expect([first.status, quotaOf(first)]).toEqual([201, [3, 1, 60]]);
  elapsedMs += 10_000;
  const second = await batch(2, token);
  expect([second.status, second.body.data.code]).toEqual([429, 'rate_limited']);
  expect([second.headers.get('retry-after'), quotaOf(second)]).toEqual(['50', [3, 1, 50]]);
  elapsedMs += 50_000;
  expect((await batch(2, token)).status).toBe(201);
  const tooMany = await batch(4, await api.addToken(['inbox'], { maskContacts: true }));
  expect([tooMany.status, tooMany.body.data.fields[0].message]).toEqual([
    422,
    'must have at most 3 items',
  ]);
  const unmasked = await batch(4, await api.addToken(['inbox']));
  expect([unmasked.status, unmasked.body.data.results.length]).toEqual([201, 4]);
});

test('each session of the console has a limit of its own, beside that of its token', async () => {
  const token = await api.addToken(['inbox']);
  const sessionOf = async () => {
    const { headers } = await api.ask('POST', '/v1/console/session', { token });
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const askBy = (cookie: string) =>
    api.ask('GET', chats, { token: null, headers: { cookie, 'x-inlet-console': '1' } });
  const [one, other] = [await sessionOf(), await sessionOf()];
  for (let n = 0; n < 3; n += 1) expect((await askBy(one)).status).toBe(200);
  expect((await askBy(one)).status).toBe(429);
  expect((await askBy(other)).status).toBe(200);
  expect((await api.ask('GET', chats, { token })).status).toBe(200);
});

test('one token’s calls are not another’s, and the administration is not limited', async () => {
  const [one, other] = [await api.addToken(['inbox']), await api.addToken(['admin'])];
  for (let n = 0; n < 4; n += 1) await api.ask('GET', chats, { token: one });
  expect((await api.ask('GET', chats, { token: one })).status).toBe(429);
  expect((await api.ask('GET', chats, { token: other })).status).toBe(200);
  for (let n = 0; n < 6; n += 1) {
    const answer = await api.ask('GET', '/v1/admin/channels', { token: other });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  }
});

test('requests without the scope count against the quota and see it too', async () => {
  const token = await api.addToken(['viewer']);
  const statuses = [];
  for (let n = 0; n < 4; n += 1) {
    const answer = await api.ask('GET', chats, { token });
    statuses.push(answer.status);
    expect(quotaOf(answer)[0]).toBe(3);
  }
  expect(statuses).toEqual([403, 403, 403, 429]);
});

const from = (address: string) => ({ 'x-forwarded-for': address });
type How = { readonly method?: string; readonly more?: string };
const tryKey = (key: string, address: string, { method = 'POST', more = '' }: How = {}) =>
  api.ask(method, `/v1/webhook/${key}${more}`, {
    token: null,
    headers: from(address),
    ...(method === 'POST' && { raw: '{}' }),
  });

/** All rejected; a few at a time, and again where the database took too long. */
async function inTurns(count: number, askOnce: (n: number) => Promise<Answer>): Promise<void> {
  const ask = async (n: number): Promise<Answer> => {
    const answer = await askOnce(n);
    return answer.status === 503 ? ask(n) : answer;
  };
  for (let first = 0; first < count; first += 20) {
    const turn = Array.from({ length: Math.min(20, count - first) }, (_, n) => ask(first + n));
    const statuses = (await Promise.all(turn)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
}
const plain = ({ status, body: { data, ...rest } }: Answer) =>
  JSON.stringify([status, rest, { ...data, requestId: '' }]);

test('a client that tries many keys is throttled with the same answer for all, and valid keys of its address are not', async () => {
  const [good, archived] = [await aWebhook(api), await aWebhook(api)];
  await api.ask('POST', `${archived.path}/archive`);
  const address = '198.51.100.9';
  const early = await Promise.all([
    tryKey('inlet_wk_nobody', address),
    tryKey(archived.key, address),
  ]);
  await inTurns(298, (n) => tryKey(`inlet_wk_${n}`, address));
  expect(delays).toEqual([]);
  const asked = { method: 'GET', more: '/receipts/1' };
  const late = [
    await tryKey('inlet_wk_nobody', address),
    await tryKey(archived.key, address),
    await tryKey(good.key, address, { more: '/more' }),
    await tryKey('inlet_wk_nobody', address, asked),
    await tryKey(archived.key, address, asked),
  ];
  expect(delays).toEqual(late.map(() => 1_000));
  expect(new Set([...early, ...late].map(plain)).size).toBe(1);
  const got = await tryKey('inlet_wk_nobody', address, { method: 'GET' });
  expect([got.status, delays.length]).toEqual([401, late.length + 1]);

  expect((await tryKey(good.key, address)).status).toBe(200);
  expect((await tryKey(good.key, address, asked)).status).toBe(404);
  await tryKey('inlet_wk_nobody', '198.51.100.10');
  expect(delays).toHaveLength(late.length + 1);
});

test('wrong tokens are throttled too, and a valid one of the same address is not', async () => {
  const address = '198.51.100.77';
  const token = await api.addToken(['viewer']);
  const revoked = await api.addToken(['viewer'], { revokedAt: new Date(0) });
  const ask = (given: string | null) =>
    api.ask('GET', '/v1/admin/channels', { token: given, headers: from(address) });
  await inTurns(300, (n) => ask(`inlet_at_${n}`));
  expect(delays).toEqual([]);
  const late = [await ask('inlet_at_nobody'), await ask(revoked), await ask(null)];
  expect(delays).toEqual([1_000, 1_000, 1_000]);
  expect(new Set(late.map(plain)).size).toBe(1);
  expect((await ask(token)).status).toBe(200);
  expect(delays).toHaveLength(3);
});
