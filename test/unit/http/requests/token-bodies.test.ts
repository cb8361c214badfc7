// Bodies of the administration and the inbox APIs: the share of a token, the pace, and the quota of files.
import { Type } from 'typebox';
import { systemClock } from '../../../../src/base/clock.ts';
import { route } from '../../../../src/http/routing/route.ts';
import { strictObject } from '../../../../src/http/routing/schemas.ts';
import { openRawClient, type RawClient } from '../../../support/context/raw-client.ts';
import { serveRoutes, type RouteServer } from '../../../support/context/route-server.ts';

const answer = strictObject({});
const posted = {
  method: 'POST',
  scope: 'viewer',
  operationId: 'getThing',
  tag: 'Webhooks',
  summary: 'A body',
  answer,
} as const;
const raw = route({ ...posted, path: '/raw', body: 'raw', handle: () => Promise.resolve({}) });
const files = route({
  ...posted,
  path: '/files',
  body: Type.Object({}),
  allowsFiles: true,
  handle: () => Promise.resolve({}),
});

let table: RouteServer;
let clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients) client.leave();
  clients = [];
  await table.close();
});

const formType = 'multipart/form-data; boundary=b';

/** Sends the first bytes of a longer body. */
async function begin(
  path: string,
  token: string,
  { sent, length }: { sent: number; length: number },
) {
  const client = await openRawClient(table.url);
  clients.push(client);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `keyapi: ${token}`,
    `Content-Type: ${path === '/files' ? formType : 'text/plain'}`,
    `Content-Length: ${length}`,
  ];
  client.send(`${[...head, '', ''].join('\r\n')}${'x'.repeat(sent)}`);
  return client;
}

/** Posts until the status comes: unfinished bodies of other connections arrive in between. */
async function postUntil(status: number, ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (response.status === status) return response;
    await response.arrayBuffer();
  }
}

const post = (path: string, token: string, body: string | FormData) =>
  table.ask(path, { method: 'POST', token, body });

function formOf(bytes: number): FormData {
  const form = new FormData();
  form.append('documents', new Blob(['x'.repeat(bytes)]), 'a.txt');
  return form;
}

test('unfinished bodies of a token take half of the bytes, and another token finds room', async () => {
  const limits = { maxInFlight: 100, maxPendingBytes: 10_000 };
  table = await serveRoutes([raw], {}, { limits });
  const held = Array.from({ length: 8 }, () => begin('/raw', 'slow', { sent: 999, length: 1_000 }));
  await Promise.all(held);
  const refused = await postUntil(503, () => post('/raw', 'slow', 'x'.repeat(1_000)));
  expect(await refused.json()).toMatchObject({ data: { code: 'overloaded' } });
  expect(refused.headers.get('retry-after')).toBe('2');
  expect((await post('/raw', 'other', 'x'.repeat(1_000))).status).toBe(200);
  for (const client of clients) client.leave();
  expect((await postUntil(200, () => post('/raw', 'slow', 'x'.repeat(4_000)))).status).toBe(200);
});

test('a body below the pace ends with 408', async () => {
  const pace = { graceMs: 20, minBytesPerSecond: 1_000_000 };
  table = await serveRoutes([raw], {}, { pace });
  const client = await begin('/raw', 'slow', { sent: 10, length: 1_000 });
  expect(await client.until('request_timeout')).toMatch(/^HTTP\/1.1 408 /);
});

test('slow uploads of files leave places for the files of another token', async () => {
  table = await serveRoutes([files], {});
  const held = Array.from({ length: 30 }, () =>
    begin('/files', 'slow', { sent: 10, length: 500_000 }),
  );
  await Promise.all(held);
  await postUntil(503, () => post('/files', 'slow', formOf(10)));
  expect((await post('/files', 'other', formOf(500_000))).status).toBe(200);
});

test('a token that has uploaded its quota of files waits, and another one does not', async () => {
  let elapsedMs = 0;
  const clock = { ...systemClock, elapsedMs: () => elapsedMs };
  // 100 KiB at once, and one each second.
  table = await serveRoutes([files], {}, { clock, fileQuota: { burst: 100, everyMs: 1_000 } });
  for (let n = 0; n < 2; n += 1)
    expect((await post('/files', 'a', formOf(60_000))).status).toBe(200);
  const refused = await post('/files', 'a', formOf(10));
  expect(await refused.json()).toMatchObject({ data: { code: 'rate_limited' } });
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBe(19);
  expect((await post('/files', 'b', formOf(10))).status).toBe(200);
  elapsedMs += seconds * 1_000;
  expect((await post('/files', 'a', formOf(10))).status).toBe(200);
});
