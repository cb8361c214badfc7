// Requests that violate HTTP, with real sockets.
import type { RequestListener } from 'node:http';
import { errorText } from '../../../src/base/errors.ts';
import { listen, type Listening } from '../../../src/http/server/listen.ts';
import { getRequest, openRawClient, waitUntil } from '../../support/context/raw-client.ts';

let server: Listening | undefined;
const asked: string[] = [];
let answer: () => void = () => undefined;
beforeAll(async () => {
  const handler: RequestListener = (request, response) => {
    const { url = '' } = request;
    asked.push(url);
    if (url === '/stream') response.write('begun');
    else if (url === '/slow') answer = () => response.end('the slow answer');
    else if (url === '/body') request.resume().once('end', () => response.end());
    else response.end('an answer');
  };
  const times = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 };
  server = await listen(handler, { host: '127.0.0.1', port: 0 }, times);
});
beforeEach(() => void asked.splice(0));
afterAll(() => server?.close());

const open = () => openRawClient(server?.url ?? '');

async function answersTo(text: string): Promise<string> {
  const client = await open();
  client.send(text);
  return client.received();
}

const host = 'Host: x';
const head = (...lines: string[]) => [...lines, '', ''].join('\r\n');
const chunked = head('POST /body HTTP/1.1', host, 'Transfer-Encoding: chunked');

test.each([
  ['no HTTP', '\0\0\0\r\n\r\n', 400, 'malformed_request'],
  ['an unknown version', head('GET / HTTP/9.9', host), 400, 'malformed_request'],
  ['no host', head('GET / HTTP/1.1'), 400, 'malformed_request'],
  ['two hosts', head('GET / HTTP/1.1', host, 'HOST: y'), 400, 'malformed_request'],
  ['the same host twice', head('GET / HTTP/1.1', host, host), 400, 'malformed_request'],
  ['two hosts in HTTP/1.0', head('GET / HTTP/1.0', host, host), 400, 'malformed_request'],
  ['a chunk without a size', `${chunked}x\r\n`, 400, 'malformed_request'],
  ['a header that does not end', head('GET / HTTP/1.1', host, 'X'), 400, 'malformed_request'],
  ['headers that stop', 'GET / HTTP/1.1\r\nHost', 408, 'request_timeout'],
  ['nothing', '', 408, 'request_timeout'],
  [
    'a list of transfer codings',
    head('POST / HTTP/1.1', host, 'Transfer-Encoding: identity, chunked') + '0\r\n\r\n',
    400,
    'malformed_request',
  ],
  [
    'an unknown expectation',
    head('POST / HTTP/1.1', host, 'Expect: a-miracle', 'Content-Length: 0'),
    417,
    'expectation_failed',
  ],
  [
    'headers beyond the limit',
    head('GET / HTTP/1.1', host, `X: ${'x'.repeat(20_000)}`),
    431,
    'headers_too_large',
  ],
  [
    'chunk extensions beyond the limit',
    `${chunked}1;${'x'.repeat(20_000)}\r\nx\r\n`,
    413,
    'body_too_large',
  ],
] as const)('%s is answered with the envelope', async (...[, text, status, code]) => {
  const received = await answersTo(text);
  const [lines = '', body = ''] = received.split('\r\n\r\n');
  const [statusLine, ...headers] = lines.split('\r\n');
  expect(statusLine).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  const fields = new Map(
    headers.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
  );
  const requestId = fields.get('x-request-id');
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(fields.get('connection')).toBe('close');
  expect(fields.get('content-length')).toBe(`${body.length}`);
  expect(JSON.parse(body)).toEqual({
    status: false,
    message: errorText(code, 'en'),
    data: { success: false, code, requestId },
  });
  expect(asked.filter((path) => path !== '/body')).toEqual([]);
});

test('HTTP/1.0 needs no host, and knows no expectations', async () => {
  expect(await answersTo(head('GET / HTTP/1.0', 'Expect: a-miracle'))).toMatch(
    / 200 .*an answer$/s,
  );
});

test('an expected 100 is sent, also to a request that waits', async () => {
  const client = await open();
  client.send(
    getRequest('/slow') +
      head('POST / HTTP/1.1', host, 'Expect: 100-continue', 'Content-Length: 0'),
  );
  await waitUntil('it is handled', () => asked.length === 1);
  answer();
  expect(await client.until('an answer')).toMatch(
    /the slow answerHTTP\/1\.1 100 .* 200 .*an answer$/s,
  );
  client.leave();
});

test.each([
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['two hosts', head('GET /two HTTP/1.1', host, host)],
  ['headers that stop', 'GET /'],
])('an earlier request is answered before: %s', async (what, text) => {
  const client = await open();
  client.send(getRequest('/slow') + text);
  await waitUntil('it is handled', () => asked.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  answer();
  const received = await client.received();
  expect(received).toMatch(/^HTTP\/1\.1 200 .*the slow answer/s);
  // A parser error ends the connection after that answer, a request with two hosts gets its own.
  const after = received.slice(received.indexOf('the slow answer') + 'the slow answer'.length);
  expect(after).toMatch(what === 'two hosts' ? /^HTTP\/1\.1 400 / : /^$/);
  expect(asked).toEqual(['/slow']);
});

test('an answer in progress is cut off, not continued with an error', async () => {
  const client = await open();
  client.send(getRequest('/stream'));
  await client.until('begun');
  client.send('nonsense\r\n\r\n');
  expect(await client.received()).not.toContain('malformed_request');
});
