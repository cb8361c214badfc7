// What clients that never read an answer can make the whole application hold.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { getRequest, openRawClient, waitUntil } from '../../support/context/raw-client.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_held_memory');
});
afterAll(() => api.close());

const document = '/v1/openapi.json';
const keyapi = `keyapi: ${adminToken}`;
const requests: Record<string, string> = {
  'the API document': getRequest(document),
  'the compressed API document': getRequest(document, ['Accept-Encoding: gzip']),
  'the renderer of the API reference': getRequest('/docs/redoc.js'),
  'bad path keys': getRequest('/v1/webhook/inlet_wk_wrong/receipts/x'),
  'bad tokens': getRequest('/v1/admin/webhooks', ['keyapi: wrong']),
  'live streams': getRequest('/v1/admin/events/live', [keyapi]),
  exports: getRequest('/v1/admin/events/export', [keyapi]),
  'requests with a long header': getRequest('/v1/admin/channels', [
    keyapi,
    `X: ${'x'.repeat(10_000)}`,
  ]),
  'requests that are not HTTP': `${getRequest(document)}nonsense\r\n\r\n`,
};

const gauge = async (name: string) => {
  const { values } = (await api.metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values[0]?.value ?? 0;
};

/** Resolves when the server has no connection left. */
const allClosed = () =>
  waitUntil('all connections are closed', async () => {
    const isClosed = (await gauge('inlet_http_connections')) === 0;
    return isClosed && (await gauge('inlet_http_held_bytes')) === 0;
  });

/** Opens connections that send a request many times, reads nothing, and leaves. */
async function attack(request: string): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: 10 }, () => openRawClient(api.url, { isReading: false })),
  );
  // Fewer than may wait on a connection, and more.
  for (const [n, client] of clients.entries()) client.send(request.repeat(n % 2 === 0 ? 15 : 200));
  const other = await openRawClient(api.url);
  other.send(getRequest('/docs/api', ['Connection: close']));
  expect(await other.received()).toMatch(/^HTTP\/1\.1 200 /);
  for (const client of clients) client.leave();
}

const heldNow = () => {
  for (let n = 0; n < 3; n += 1) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

test('is given back when they leave: the heap returns to within 20 MB', async () => {
  // What is created once: the document, compiled code, pools.
  for (const request of Object.values(requests)) await attack(request);
  await allClosed();
  const before = heldNow();
  for (const request of Object.values(requests)) {
    for (let round = 0; round < 3; round += 1) await attack(request);
  }
  await allClosed();
  expect(heldNow() - before).toBeLessThan(20_000_000);
});

test.each(Object.keys(requests))('is bounded for %s', async (name) => {
  await attack(requests[name] ?? '');
  await allClosed();
  // All places are free again.
  const streams = await Promise.all(Array.from({ length: 10 }, () => openRawClient(api.url)));
  for (const stream of streams) stream.send(getRequest('/v1/admin/events/live', [keyapi]));
  await Promise.all(streams.map((stream) => stream.until('retry: ')));
  for (const stream of streams) stream.leave();
});
