// Promise 7: no 5xx for an error that waiting does not fix, and no stack, path or payload in an error body. While the
// database is unavailable, the answer is 503 with the time to wait, and no event is acknowledged.
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { leadMapping } from '../support/context/test-context.ts';
import { createDeployment, type Deployment } from '../support/processes/roles.ts';
import { startMongo, type TestServer } from '../support/services/services.ts';
import { waitForValue, type Webhook } from '../support/processes/client.ts';

let mongo: TestServer;
let inlet: Deployment;
let server: { url?: string; opsUrl: string };
let active: Webhook;
let draft: Webhook;

beforeAll(async () => {
  mongo = await startMongo();
  inlet = await createDeployment('blame', { env: { MONGODB_URL: mongo.url } });
  server = await inlet.start('server');
  active = await inlet.client.addActiveWebhook(leadMapping);
  draft = await inlet.client.addWebhook();
});
afterAll(async () => {
  await inlet.close();
  await mongo.close();
});

const canary = 'canary-7f3a';
/** Text that reveals internals, or repeats the request. */
const revealing = [canary, '/v1/', 'node_modules', '.ts:', '.js:', '    at ', 'Error:', 'Mongo'];

/** Sends again while the server is held up: what waiting fixes is no error of the sender. */
async function send(url: string, init: RequestInit, again = 5): Promise<Response> {
  const response = await fetch(url, init);
  const hasTime = Number(response.headers.get('retry-after')) > 0;
  return response.status === 503 && hasTime && again > 0 ? send(url, init, again - 1) : response;
}

function expectBlameless(status: number, text: string): void {
  expect(status).toBeLessThan(500);
  if (status < 400 || text === '') return;
  expect(revealing.filter((word) => text.includes(word))).toEqual([]);
  expect(JSON.parse(text)).toEqual({
    status: false,
    message: expect.any(String),
    data: {
      success: false,
      code: expect.stringMatching(/^[a-z_]+$/),
      requestId: expect.any(String),
    },
  });
}

const path = fc.oneof(
  fc.constantFrom(
    () => `/v1/webhook/${active.key}`,
    () => `/v1/webhook/${draft.key}`,
    () => `/v1/webhook/${active.key}?${canary}=%`,
    () => `/v1/webhook/${canary}`,
    () => '/v1/webhook/%E0%A4%A',
    () => `/v1/${canary}`,
  ),
  fc.webPath().map((made) => () => `/v1/webhook/${canary}${made}`),
);
const method = fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE');
const type = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/problem+json',
  `application/json; x=${canary}`,
  `text/${canary}`,
  `application/json; charset=${canary}`,
);
const odd = fc.constantFrom('__proto__', 'constructor', 'id', 'lead', 'phone', '$where', 'a.b', '');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(null, true, canary, Infinity, -0),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(odd, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const body = fc.oneof(
  value.map((made) => JSON.stringify(made) ?? ''),
  value.map((made) => `{"${canary}":${JSON.stringify(made)}`),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

test('no request is answered by 5xx, and no answer reveals internals or repeats the request', async () => {
  const requests = fc.record({ path, method, type, body });
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const response = await send(`${server.url}${request.path()}`, {
        method: request.method,
        headers: { 'content-type': request.type, 'x-note': canary },
        ...(request.method !== 'GET' && { body: request.body }),
      });
      expectBlameless(response.status, await response.text());
      expect(response.headers.get('x-request-id')).not.toBeNull();
    }),
    { numRuns: 300 },
  );
  expect(inlet.output()).not.toContain('"level":"error"');
});

test.each([
  ['no HTTP', '\0\0\0\r\n\r\n'],
  ['an unknown version', `GET /${canary} HTTP/9.9\r\n\r\n`],
  ['no host', `POST /v1/webhook/${canary} HTTP/1.1\r\n\r\n`],
  [
    'a length that is none',
    `POST /${canary} HTTP/1.1\r\nHost: x\r\nContent-Length: ${canary}\r\n\r\n`,
  ],
  ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
  ['an unknown expectation', `POST /v1/webhook/x HTTP/1.1\r\nHost: x\r\nExpect: ${canary}\r\n\r\n`],
])('%s is answered by 4xx', async (_what, text) => {
  const socket = connect(Number(new URL(server.url ?? '').port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(data.toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(data.toString()).not.toContain(canary);
});

test('while MongoDB is unavailable the answer is 503 with a time to wait; afterwards 200, and no event is missing or extra', async () => {
  const lead = (n: number) => ({ id: `away-${n}`, note: canary, lead: { id: `p${n}` } });
  const deliver = (n: number) => inlet.client.deliver(active.key, lead(n));
  const readyz = async () => (await fetch(`${server.opsUrl}/readyz`)).status;
  const acknowledged = (await inlet.client.deliverPatiently(active.key, lead(0))).data.eventId;
  await mongo.stop();
  const [event, sample] = await Promise.all([
    deliver(1),
    inlet.client.deliver(draft.key, { note: canary }),
  ]);
  for (const { status, headers, text, data } of [event, sample]) {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(data).toMatchObject({ success: false, code: 'unavailable' });
    expect(revealing.filter((word) => text.includes(word))).toEqual([]);
  }
  expect(await readyz()).toBe(503);

  await mongo.start();
  const again = await waitForValue('it takes events again', async () => {
    const answer = await deliver(1);
    return answer.status === 200 ? answer : undefined;
  });
  await waitForValue('it is ready again', async () =>
    (await readyz()) === 200 ? true : undefined,
  );
  const kept = await inlet.db
    .collection<{ _id: string }>('events')
    .find({ externalId: /^away-/ })
    .toArray();
  expect(kept.map(({ _id }) => _id).toSorted()).toEqual(
    [acknowledged ?? '', again.data.eventId ?? ''].toSorted(),
  );
});
