// An ordinary request of a sender does not pass Express; a request whose key is percent-encoded does. Both are answered alike.
import { createHmac } from 'node:crypto';
import { aWebhook } from '../../support/context/builders.ts';
import { openRawClient } from '../../support/context/raw-client.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
const keys: Record<string, string> = { unknown: 'inlet_wk_unknown', odd: '-_-' };

beforeAll(async () => {
  api = await createTestApi('direct', { trustProxy: ['127.0.0.1'] });
  const restricted = { allowlist: ['203.0.113.0/24'] };
  const signed = {
    producerProfile: 'twilio',
    signature: { scheme: 'twilio', secrets: ['a-secret-of-the-sender'] },
  };
  keys.active = (await aWebhook(api, { mapping: leadMapping })).key;
  keys.draft = (await aWebhook(api)).key;
  const elsewhere = await aWebhook(api, { mapping: leadMapping });
  keys.restricted = elsewhere.key;
  await patch(elsewhere.path, restricted);
  const verified = await aWebhook(api, { mapping: leadMapping });
  keys.signed = verified.key;
  await patch(verified.path, signed);
});
afterAll(() => api.close());

async function patch(path: string, settings: object): Promise<void> {
  const answer = await api.ask('PATCH', `${path}/settings`, { body: settings });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

type Sent = {
  readonly head?: readonly string[];
  readonly body?: string;
  readonly query?: string;
  /** Default: the length of the body. */
  readonly announced?: number;
};

const json = 'Content-Type: application/json';

/** Resolves to the whole answer, with ids and the date replaced. */
async function answerTo(key: string, sent: Sent) {
  const { head = [json], body = '{}', query = '', announced = Buffer.byteLength(body) } = sent;
  const client = await openRawClient(api.url);
  const isChunked = head.some((line) => line.startsWith('Transfer-Encoding'));
  const length = isChunked ? [] : [`Content-Length: ${announced}`];
  const first = `POST /v1/webhook/${key}${query} HTTP/1.1`;
  const lines = [first, 'Host: x', 'Connection: close', ...length, ...head, '', body];
  client.send(lines.join('\r\n'));
  const text = (await client.received())
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[47][\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, 'UUID')
    .replace(/^Date: .*$/m, 'Date: now');
  const end = text.lastIndexOf('\r\n\r\n');
  // When the body arrives after the answer, the header `Connection` comes first.
  return { head: text.slice(0, end).split('\r\n').toSorted(), body: text.slice(end) };
}

const viaExpress = (key: string) => `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`;

test.each<[string, string, Sent, number]>([
  ['an event', 'active', {}, 200],
  ['an event with a query', 'active', { query: '?a=1&b=%20&a=%' }, 200],
  ['a question mark alone', 'active', { query: '?' }, 200],
  ['no content type', 'active', { head: [] }, 200],
  ['another language', 'active', { head: [json, 'Accept-Language: es, *;q=0.1'] }, 200],
  [
    'a chunked body',
    'active',
    { head: [json, 'Transfer-Encoding: chunked'], body: '2\r\n{}\r\n0\r\n\r\n' },
    200,
  ],
  ['a sample', 'draft', {}, 200],
  ['a broken body', 'active', { body: '{' }, 400],
  ['a list', 'active', { body: '[]' }, 400],
  ['an empty body', 'active', { body: '' }, 400],
  ['a wrong type', 'active', { head: ['Content-Type: text/html'] }, 415],
  ['a compressed body', 'active', { head: [json, 'Content-Encoding: gzip'] }, 415],
  ['a body beyond the limit', 'active', { body: `"${'x'.repeat(1_048_576)}"` }, 413],
  ['an expected answer', 'active', { head: [json, 'Expect: 100-continue'] }, 100],
  ['an announced body beyond the limit', 'active', { announced: 1_048_577 }, 413],
  ['an unknown key', 'unknown', { head: [json, 'Accept-Language: pt'] }, 401],
  ['a key of signs', 'odd', {}, 401],
  ['an address that is not allowed', 'restricted', {}, 403],
  ['a forwarded address', 'restricted', { head: [json, 'X-Forwarded-For: 203.0.113.7'] }, 200],
  ['a missing signature', 'signed', { query: '?bodySHA256=1' }, 401],
])('%s is answered alike on both ways', async (...[, key, sent, status]) => {
  const known = keys[key] ?? '';
  const direct = await answerTo(known, sent);
  expect(direct.head).toContainEqual(expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `)));
  expect(await answerTo(viaExpress(known), sent)).toEqual(direct);
});

test('a signature over the URL is verified on both ways', async () => {
  const known = keys.signed ?? '';
  const query = '?a=%20';
  const body = 'From=1&Body=x';
  const content = `http://x/v1/webhook/${known}${query}BodyxFrom1`;
  const signature = createHmac('sha1', 'a-secret-of-the-sender').update(content).digest('base64');
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const sent = { head: [form, `X-Twilio-Signature: ${signature}`], body, query };
  const [direct, express] = [await answerTo(known, sent), await answerTo(viaExpress(known), sent)];
  expect(direct.head).toContain('HTTP/1.1 200 OK');
  expect(express.head).toEqual(direct.head);
});

test.each(['http://other.example', 'HTTPS://other.example:8443', 'http://[::1]:1'])(
  'a URL with the origin %s is answered like its path',
  async (origin) => {
    const statusOf = async (method: string, url: string, head: readonly string[] = []) => {
      const client = await openRawClient(api.url);
      const lines = [`${method} ${url} HTTP/1.1`, 'Host: x', 'Connection: close', ...head, '', ''];
      client.send(lines.join('\r\n'));
      return (await client.received()).split(' ')[1];
    };
    const key = keys.active ?? '';
    const empty = ['Content-Length: 0'];
    expect([
      await statusOf('POST', `${origin}/v1/webhook/${key}`, empty),
      await statusOf('POST', `${origin}/v1/webhook/${viaExpress(key)}?a=1`, empty),
      await statusOf('POST', `${origin}/v1/webhook/unknown`, empty),
      await statusOf('GET', `${origin}/v1/webhook/${key}/receipts/none`),
      await statusOf('GET', `${origin}/v1/openapi.json`),
      await statusOf('GET', `${origin}/v1/admin/channels?per_page=1`),
      await statusOf('GET', `${origin}/none`),
    ]).toEqual(['400', '400', '401', '404', '200', '401', '404']);
    const signs = await Promise.all(
      [origin, `${origin}?a=1`].map((url) => statusOf('OPTIONS', url)),
    );
    expect(new Set(signs)).toEqual(new Set(['405']));
  },
);

test('a path with further segments is answered as an unknown key', async () => {
  const key = keys.active ?? '';
  const answers = [`${key}/`, `${key}/x`, `${key}/receipts`].map((path) => answerTo(path, {}));
  for (const { head } of await Promise.all(answers))
    expect(head).toContain('HTTP/1.1 401 Unauthorized');
});
