// Searches, computations with mappings and exports: the places and the time of a token.
import { Type } from 'typebox';
import { createHeavyWork } from '../../../../src/http/requests/heavy-work.ts';
import { route, streamRoute } from '../../../../src/http/routing/route.ts';
import { strictObject } from '../../../../src/http/routing/schemas.ts';
import { waitUntil } from '../../../support/context/raw-client.ts';
import { serveRoutes, type RouteServer } from '../../../support/context/route-server.ts';
import { stubbedRoutes } from '../../../support/openapi/document.ts';

function startWork() {
  let nowMs = 0;
  const { enter } = createHeavyWork({ clock: { elapsedMs: () => nowMs } });
  /** A search that takes this long. */
  const search = (ms: number, token = 't') => {
    const leave = enter('search', token);
    nowMs += ms;
    leave();
  };
  return { enter, search, pass: (ms: number) => (nowMs += ms) };
}

test('a token has four of a kind in progress, and leaves places for others', () => {
  const { enter } = startWork();
  const places = [1, 2, 3, 4].map(() => enter('mapping', 'a'));
  expect(() => enter('mapping', 'a')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  for (const token of ['b', 'b', 'c', 'd']) enter('mapping', token);
  expect(() => enter('mapping', 'e')).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterMs: 1_000 }),
  );
  enter('export', 'a');
  places.pop()?.();
  enter('mapping', 'e');
});

test('the time of searches is charged: after a minute at once, half of the time is left', () => {
  const { search, enter, pass } = startWork();
  for (let n = 0; n < 5; n += 1) search(20_000);
  const rejected = expect.objectContaining({ code: 'rate_limited', retryAfterMs: 2 });
  expect(() => search(0)).toThrow(rejected);
  enter('mapping', 't')();
  search(1_000, 'other');
  pass(2);
  search(0);
});

const answer = strictObject({});
const listed = {
  method: 'GET',
  scope: 'viewer',
  operationId: 'getThing',
  tag: 'Webhooks',
  summary: 'A list',
  answer,
} as const;
const query = strictObject({ search: Type.Optional(Type.String()) });

let table: RouteServer;
afterEach(() => table?.close());

test('the router gives places to the requests that are heavy, until they are answered', async () => {
  let begun = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const heavy = { kind: 'search', when: ['search'] } as const;
  const list = route({
    ...listed,
    path: '/list',
    query,
    heavy,
    async handle({ query: { search } }) {
      begun += 1;
      if (search === 'slow') await gate;
      if (search === 'fails') throw new Error('It fails.');
      return {};
    },
  });
  table = await serveRoutes([list]);
  const slow = [1, 2, 3, 4].map(() => table.ask('/list?search=slow'));
  await waitUntil('four have begun', () => begun === 4);
  const fifth = await table.ask('/list?search=quick');
  expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await fifth.json()).toMatchObject({ data: { code: 'rate_limited' } });
  expect((await table.ask('/list')).status).toBe(200);
  expect((await table.ask('/list?search=quick', { token: 'other' })).status).toBe(200);
  release();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (let n = 0; n < 5; n += 1) {
    expect((await table.ask('/list?search=fails')).status).toBe(500);
  }
  expect((await table.ask('/list?search=quick')).status).toBe(200);
});

test('an export holds its place until its client has left', async () => {
  // oxlint-disable-next-line require-yield
  async function* silence(signal: AbortSignal): AsyncGenerator<{ n: number }> {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  async function* lines(signal: AbortSignal) {
    yield { n: 1 };
    yield* silence(signal);
  }
  const exported = streamRoute({
    path: '/export',
    scope: 'viewer',
    operationId: 'getThing',
    tag: 'Webhooks',
    summary: 'An export',
    stream: 'ndjson',
    heavy: { kind: 'export' },
    answer: strictObject({ n: Type.Integer() }),
    handle: ({ signal }) => Promise.resolve(lines(signal)),
  });
  table = await serveRoutes([exported]);
  const leaving = new AbortController();
  const ask = () => table.ask('/export', { signal: leaving.signal });
  const open = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await table.ask('/export')).status).toBe(429);
  leaving.abort();
  await waitUntil('a place is free', async () => {
    const { status, body } = await table.ask('/export');
    await body?.cancel();
    return status === 200;
  });
});

test('searches, computations and exports of the API are heavy', () => {
  const heavy = stubbedRoutes().flatMap(({ path, heavy: given }) => (given ? [path] : []));
  expect(heavy.toSorted()).toEqual([
    '/v1/admin/audit/export',
    '/v1/admin/contacts',
    '/v1/admin/events',
    '/v1/admin/events/export',
    '/v1/admin/webhooks/:id/mappings/diff',
    '/v1/admin/webhooks/:id/mappings/preview',
    '/v1/admin/webhooks/:id/mappings/repair',
    '/v1/admin/webhooks/:id/mappings/suggest',
    '/v1/chat',
    '/v1/chat/:chat_id/search',
    '/v1/chat/search',
  ]);
});
