// The session of the console: its cookie, the check against cross-site requests, and its end.
import { scopes } from '../../../src/domain/access/token.ts';
import { authenticateSession } from '../../../src/api/access/console-sessions.ts';
import { sha256 } from '../../../src/base/ids.ts';
import type { ConsoleSession } from '../../../src/domain/access/console-session.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

const path = '/v1/console/session';
const hourMs = 3_600_000;

let api: TestApi;
let offsetMs = 0;
const delays: number[] = [];
beforeAll(async () => {
  api = await createTestApi('http_console_session', {
    clock: { now: () => new Date(Date.now() + offsetMs), elapsedMs: () => 0 },
    wait: (ms) => Promise.resolve(void delays.push(ms)),
    trustProxy: ['127.0.0.1'],
  });
});
afterAll(() => api.close());
beforeEach(() => {
  offsetMs = 0;
});

const marked = { 'x-inlet-console': '1' };
const cookieIn = ({ headers }: Answer): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function signIn(token: string): Promise<{ cookie: string; answer: Answer }> {
  const answer = await api.ask('POST', path, { token });
  expect(answer.status).toBe(201);
  return { cookie: cookieIn(answer), answer };
}

/** As the console sends it; a header that is undefined is left out. */
function askWith(
  cookie: string,
  {
    method = 'GET',
    at = '/v1/admin/webhooks',
    more = {},
    body,
  }: Partial<{
    method: string;
    at: string;
    more: Record<string, string | undefined>;
    body: unknown;
  }> = {},
): Promise<Answer> {
  const given = Object.entries({ cookie, ...marked, ...more });
  const headers = Object.fromEntries(
    given.filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return api.ask(method, at, { token: null, headers, body });
}

const stored = () => collectionOf<ConsoleSession>(api.connection, 'sessions');

test('signing in sets a cookie that no script can read, and keeps neither token nor secret', async () => {
  const token = await api.addToken(['operator'], { name: 'Ana' });
  const { cookie, answer } = await signIn(token);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^inlet_session=inlet_cs_[\w-]{43}; Max-Age=43200; Path=\/v1; HttpOnly; SameSite=Strict$/,
    ),
  ]);
  const secret = cookie.split('=')[1] ?? '';
  expect(answer.text).not.toMatch(/inlet_(?:at|cs)_/);
  const { id, expiresAt, ...shown } = answer.body.data;
  expect(shown).toEqual({ name: 'Ana', scopes: ['operator'], restricted: false });
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(12 * hourMs);
  expect((await askWith(cookie, { at: path })).body.data).toEqual(answer.body.data);
  const [record] = await stored().find({ tokenId: id }).toArray();
  expect(record).toMatchObject({ _id: sha256(secret), proof: null });
  expect(JSON.stringify([record, api.lines])).not.toContain(secret);
});

test.each([
  ['a trusted proxy', { 'x-forwarded-proto': 'https' }],
  ['the page', { origin: 'https://inlet.example' }],
])('over HTTPS, as %s says, no other host can set the cookie', async (_who, headers) => {
  const answer = await api.ask('POST', path, { headers });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-inlet=inlet_cs_[\w-]{43}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    ),
  ]);
  const secure = cookieIn(answer);
  expect((await askWith(secure)).status).toBe(200);
  const plain = secure.replace('__Host-inlet', 'inlet_session');
  expect((await askWith(plain)).status).toBe(200);
  const https = { 'x-forwarded-proto': 'https' };
  expect((await askWith(plain, { more: https })).status).toBe(401);
});

test('a wrong token gets no cookie, and a token of every scope gets one', async () => {
  const answers = [
    await api.ask('POST', path, { token: 'inlet_at_nobody' }),
    await api.ask('POST', path, { token: null }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  for (const scope of scopes) {
    const { status, headers } = await api.ask('POST', path, { token: await api.addToken([scope]) });
    expect([scope, status, headers.getSetCookie().length]).toEqual([scope, 201, 1]);
  }
});

describe('the cookie', () => {
  const own = () => new URL(api.url);
  const forms: readonly (readonly [string, () => Record<string, string | undefined>, number])[] = [
    ['with the header of the console', () => ({}), 200],
    ['from a page of this origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    ['from a page of this host', () => ({ origin: own().origin }), 200],
    ['without the header', () => ({ 'x-inlet-console': undefined }), 401],
    [
      'without the header, from a page of this origin',
      () => ({ 'x-inlet-console': undefined, 'sec-fetch-site': 'same-origin' }),
      401,
    ],
    ['from another site', () => ({ 'sec-fetch-site': 'cross-site' }), 401],
    ['from another port of this host', () => ({ 'sec-fetch-site': 'same-site' }), 401],
    ['from the address bar', () => ({ 'sec-fetch-site': 'none' }), 401],
    ['from another port, in an old browser', () => ({ origin: 'http://127.0.0.1:1' }), 401],
    ['from a sandboxed page', () => ({ origin: 'null' }), 401],
    ['with a wrong token beside it', () => ({ keyapi: 'inlet_at_nobody' }), 401],
    ['with an empty token beside it', () => ({ keyapi: '' }), 401],
  ];

  test.each(forms)('%s', async (_what, more, status) => {
    const { cookie } = await signIn(adminToken);
    const read = await askWith(cookie, { more: more() });
    const changed = await askWith(cookie, {
      method: 'POST',
      at: '/v1/admin/tokens',
      more: more(),
      body: { name: 'made', scopes: ['viewer'] },
    });
    expect([read.status, changed.status]).toEqual([status, status === 200 ? 201 : status]);
    if (status === 401) {
      expect(read.body).toMatchObject({
        status: false,
        data: { success: false, code: 'invalid_token', requestId: expect.any(String) },
      });
    }
  });

  test('is no credential of senders, and its text is no token', async () => {
    const { cookie } = await signIn(adminToken);
    const secret = cookie.split('=')[1] ?? '';
    const answers = [
      await askWith(cookie, { at: '/v1/webhook/x', method: 'POST', body: {} }),
      await askWith(cookie, { at: '/v1/webhook/x/receipts/1' }),
      await askWith(cookie, { at: `/v1/webhook/${secret}`, method: 'POST', body: {} }),
      await api.ask('GET', '/v1/admin/webhooks', { token: secret }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test('has the permissions of its token only', async () => {
    const { cookie } = await signIn(await api.addToken(['viewer']));
    const given = {
      method: 'POST',
      at: '/v1/admin/tokens',
      body: { name: 'x', scopes: ['admin'] },
    };
    expect((await askWith(cookie, given)).status).toBe(403);
  });

  test('starts no further session', async () => {
    const { cookie } = await signIn(adminToken);
    const answer = await askWith(cookie, { method: 'POST', at: path });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });

  test('is throttled like a token when it is wrong', async () => {
    const more = { 'x-forwarded-for': '198.51.100.9' };
    const wrong = (n: number) => askWith(`inlet_session=inlet_cs_${n}`, { more });
    for (let n = 0; n < 300; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => wrong(n + i)));
    }
    expect(delays).toEqual([]);
    expect((await wrong(300)).status).toBe(401);
    expect(delays).toEqual([1_000]);
  });
});

describe('a session ends', () => {
  test('when it is signed out, and no other session of the token', async () => {
    const token = await api.addToken(['viewer']);
    const [{ cookie }, other] = [await signIn(token), await signIn(token)];
    const out = await askWith(cookie, { method: 'DELETE', at: path });
    expect([out.status, out.body.data]).toEqual([200, {}]);
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-inlet=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict',
      'inlet_session=; Max-Age=0; Path=/v1; HttpOnly; SameSite=Strict',
    ]);
    expect((await askWith(cookie)).status).toBe(401);
    expect((await askWith(other.cookie)).status).toBe(200);
    expect((await api.ask('GET', '/v1/admin/webhooks', { token })).status).toBe(200);
  });

  test('with its open live stream', async () => {
    const { cookie } = await signIn(await api.addToken(['viewer']));
    const headers = { cookie, ...marked };
    const stream = await fetch(`${api.url}/v1/admin/events/live`, { headers });
    expect(stream.status).toBe(200);
    await askWith(cookie, { method: 'DELETE', at: path });
    expect(await stream.text()).toBe('retry: 2000\n\n');
  });

  test('when its token is revoked', async () => {
    const { cookie, answer } = await signIn(await api.addToken(['viewer']));
    expect((await askWith(cookie)).status).toBe(200);
    await api.ask('DELETE', `/v1/admin/tokens/${answer.body.data.id}`);
    expect((await askWith(cookie)).status).toBe(401);
  });

  test('when its token expires', async () => {
    const expiresAt = new Date(Date.now() + hourMs);
    const { cookie } = await signIn(await api.addToken(['viewer'], { expiresAt }));
    offsetMs = hourMs - 60_000;
    expect((await askWith(cookie)).status).toBe(200);
    offsetMs = hourMs + 60_000;
    expect((await askWith(cookie)).status).toBe(401);
  });

  test('after twelve hours', async () => {
    const { cookie } = await signIn(adminToken);
    offsetMs = 12 * hourMs - 60_000;
    expect((await askWith(cookie)).status).toBe(200);
    offsetMs = 12 * hourMs + 60_000;
    expect((await askWith(cookie)).status).toBe(401);
  });

  test('when INLET_ADMIN_TOKEN changes, and not when a server is restarted', async () => {
    const { cookie } = await signIn(adminToken);
    const secret = cookie.split('=')[1] ?? '';
    const callerUnder = (value: string) => {
      const silent = { logger: silentLogger(), recheckStreams: () => undefined };
      return authenticateSession({ ...api.context, ...silent, adminToken: value }, secret);
    };
    expect(await callerUnder(adminToken)).toMatchObject({ scopes: ['admin'] });
    for (const value of ['another-token-of-the-environment', '']) {
      await expect(callerUnder(value)).rejects.toThrow(/invalid_token|token/);
    }
    const records = JSON.stringify(
      await stored()
        .find({ _id: sha256(secret) })
        .toArray(),
    );
    expect(records).not.toContain(sha256(adminToken));
  });

  test('when it is among the oldest of more than fifty of its token', async () => {
    const token = await api.addToken(['viewer']);
    const { cookie, answer } = await signIn(token);
    const { id: tokenId } = answer.body.data;
    const later = (n: number) => new Date(Date.now() + n);
    const more = Array.from({ length: 50 }, (_, n) => ({
      _id: `${tokenId} ${n}`,
      tokenId,
      proof: null,
      createdAt: later(n),
      expiresAt: later(hourMs),
    }));
    await stored().insertMany(more);
    expect((await askWith(cookie)).status).toBe(200);
    const headers = { cookie, ...marked };
    const stream = await fetch(`${api.url}/v1/admin/events/live`, { headers });
    offsetMs = 1_000;
    const { cookie: newest } = await signIn(token);
    expect(await stored().countDocuments({ tokenId })).toBe(50);
    expect((await askWith(cookie)).status).toBe(401);
    expect(await stream.text()).toBe('retry: 2000\n\n');
    expect((await askWith(newest)).status).toBe(200);
  });
});

test('a repeated request of a session gets the stored answer', async () => {
  const { cookie } = await signIn(adminToken);
  const given = {
    method: 'POST',
    at: '/v1/admin/channels',
    body: { name: 'Once', kind: 'inbox' },
    more: { 'idempotency-key': '"once"' },
  };
  const [first, second] = [await askWith(cookie, given), await askWith(cookie, given)];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.data.id).toBe(first.body.data.id);
});
