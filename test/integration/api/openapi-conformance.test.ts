// The OpenAPI document against the application: every operation gets valid and invalid requests, and every
// answer is one that the document announces.
import { newId } from '../../../src/base/ids.ts';
import type { Scope } from '../../../src/domain/access/token.ts';
import type { RequestOptions } from '../../support/context/api-request.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { createFixtures, type Fixtures } from '../../support/openapi/write-requests.ts';
import {
  createContractChecker,
  operationsOf,
  type Json,
  type CheckedAnswer,
  type Operation,
} from '../../support/openapi/contract.ts';
import { documentOfStubs } from '../../support/openapi/document.ts';
import {
  createPathFixtures,
  pathIn,
  requestsFor,
  type PathFixtures,
} from '../../support/openapi/requests.ts';

jest.setTimeout(120_000);

const document = documentOfStubs() as Json;
const operations = operationsOf(document);
const contract = createContractChecker(document);
const named = (some: readonly Operation[]) => some.map((one) => [one.name, one] as const);

let api: TestApi;
let fixtures: Fixtures;
let pathFixtures: PathFixtures;
/** For each scope a token with another scope that does not include it. */
const tokenOfAnotherScope = {} as Record<Scope, string>;

beforeAll(async () => {
  api = await createTestApi('http_contract', { wait: () => Promise.resolve() });
  fixtures = createFixtures(api);
  pathFixtures = await createPathFixtures(api, fixtures);
  const [viewer, operator, inbox] = await Promise.all(
    (['viewer', 'operator', 'inbox'] as const).map((scope) => api.addToken([scope])),
  );
  Object.assign(tokenOfAnotherScope, {
    admin: operator,
    operator: viewer,
    viewer: inbox,
    inbox: viewer,
  });
});
afterAll(() => api.close());

/** Only the first item of a live stream is awaited. */
async function call(
  { method, scope, name }: Operation,
  path: string,
  { token = scope ? adminToken : null, body, raw, headers }: RequestOptions = {},
): Promise<CheckedAnswer> {
  const controller = new AbortController();
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      ...(token !== null && { keyapi: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...((raw !== undefined || body !== undefined) && { body: raw ?? JSON.stringify(body) }),
    signal: controller.signal,
  });
  const isLive = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isLive ? await firstItem(response, name) : await response.text();
  if (isLive) controller.abort();
  return { status: response.status, headers: response.headers, text };
}

/** Triggers the first item of a live stream. */
const streamTriggers: Readonly<Record<string, () => Promise<unknown>>> = {
  watchEvents: () => fixtures.dead(),
  watchChats: () =>
    api.ask('POST', `/v1/chat/${pathFixtures.chatId}`, { body: { type: 'text', message: 'Hi' } }),
  watchWebhookSamples: () =>
    fixtures.made(`/webhooks/${pathFixtures.webhookId}/samples`, { body: {} }),
};

async function firstItem(response: Response, name: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  void streamTriggers[name]?.();
  while (!/^data: .*\n/m.test(text)) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error('The stream has ended.');
    text += value;
  }
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

const requiredQueries: Readonly<Record<string, string>> = {
  listChats: '?status=my_chats',
  searchMessages: '?query=hello',
  searchChatMessages: '?query=hello',
};

/** The resource whose state makes the operation fail. */
const usualPath = ({ name, path }: Operation) =>
  pathIn(path, pathFixtures) + (requiredQueries[name] ?? '');

type Refused = readonly [
  what: string,
  status: number,
  code: string,
  answer: Promise<CheckedAnswer>,
];

/** Operations that are rejected differently, or that the document does not describe. */
async function wrongOf(operation: Operation, refused: readonly Refused[]): Promise<unknown[]> {
  const wrong = [];
  for (const [what, status, code, asked] of refused) {
    const answer = await asked;
    const found = (JSON.parse(answer.text) as { data: { code?: string } }).data.code;
    const problems = contract.problemsOf(operation, answer);
    if (answer.status !== status || found !== code || problems.length > 0) {
      wrong.push([what, answer.status, found, ...problems]);
    }
  }
  return wrong;
}

test('the served document is the one that is tested here', async () => {
  const { body } = await api.ask('GET', '/v1/openapi.json', { token: null });
  expect(body).toEqual(JSON.parse(JSON.stringify(document)));
});

describe('a valid request of', () => {
  test.each(named(operations))('%s is answered as the document says', async (_name, operation) => {
    const requests = await requestsFor(operation, { place: pathFixtures, things: fixtures });
    expect(requests).not.toEqual([]);
    for (const { path, ...given } of requests) {
      const answer = await call(operation, path, given);
      expect([answer.status < 300, contract.problemsOf(operation, answer)]).toEqual([true, []]);
      const again = operation.method === 'GET' ? answer : await call(operation, path, given);
      expect(contract.problemsOf(operation, again)).toEqual([]);
      const tag = answer.headers.get('etag');
      if (tag === null || operation.method !== 'GET') continue;
      const known = await call(operation, path, { headers: { 'if-none-match': tag } });
      expect([known.status < 400, contract.problemsOf(operation, known)]).toEqual([true, []]);
    }
  });
});

describe('a token without permission for', () => {
  const guarded = operations.filter(({ scope }) => scope);
  test.each(named(guarded))('%s is rejected', async (_name, operation) => {
    const path = usualPath(operation);
    const { scope = 'admin' } = operation;
    // Every token has enough.
    const tooLow: Refused[] =
      scope === 'any'
        ? []
        : [
            [
              'another scope',
              403,
              'forbidden',
              call(operation, path, { token: tokenOfAnotherScope[scope] }),
            ],
          ];
    const wrong = await wrongOf(operation, [
      ['no token', 401, 'invalid_token', call(operation, path, { token: null })],
      ['no such token', 401, 'invalid_token', call(operation, path, { token: 'x'.repeat(40) })],
      ...tooLow,
      ['PUT', 405, 'method_not_allowed', call({ ...operation, method: 'PUT' }, path)],
    ]);
    expect(wrong).toEqual([]);
  });
});

describe('a path of', () => {
  const ofThings = operations.filter(({ scope, path }) => scope && path.includes('{'));
  test.each(named(ofThings))('%s with an unknown id is not found', async (_name, operation) => {
    const { path } = operation;
    const last = path.lastIndexOf('{');
    const withLast = (id: string) =>
      pathIn(path.slice(0, last), pathFixtures) + path.slice(last).replace(/\{\w+\}/, id);
    const unknown = path.slice(last).startsWith('{version}') ? '999' : newId();
    const ask = (id: string) => call(operation, withLast(id), { body: bodyFor(operation) });
    const wrong = await wrongOf(operation, [
      ['an unknown id', 404, 'not_found', ask(unknown)],
      ['what is no id', 404, 'not_found', ask('no-id')],
      ['what cannot be decoded', 404, 'not_found', ask('%ff')],
    ]);
    expect(wrong).toEqual([]);
  });
});

const bodyFor = ({ bodyTypes }: Operation) => (bodyTypes.length > 0 ? {} : undefined);

/** Operations whose body may be a list. */
const takingLists = new Set(['createChatContacts', 'replaceChatLabels']);
const aList = (asked: Promise<CheckedAnswer>): Refused => ['a list', 400, 'invalid_body', asked];

describe('a body of', () => {
  const taking = operations.filter(({ scope, bodySchema }) => scope && bodySchema);
  test.each(named(taking))('an invalid %s is rejected', async (_name, operation) => {
    const path = usualPath(operation);
    const ask = (raw: string, type = 'application/json') =>
      call(operation, path, { raw, headers: { 'content-type': type } });
    const wrong = await wrongOf(operation, [
      ['another type', 415, 'unsupported_media_type', ask('{}', 'image/png')],
      ['no JSON', 400, 'malformed_json', ask('{')],
      ...(takingLists.has(operation.name) ? [] : [aList(ask('[]'))]),
      ['too much', 413, 'body_too_large', ask(`"${'x'.repeat(1_048_576)}"`)],
      ...contract.spoiled(operation).map(([what, body]) => {
        const code = what === 'mapping wrong' ? 'invalid_mapping' : 'invalid_field';
        return [what, 422, code, call(operation, path, { body })] as const;
      }),
    ]);
    expect(wrong).toEqual([]);
  });
});

describe('a query of', () => {
  const asking = operations.filter(({ query }) => query.length > 0);
  test.each(named(asking))('an unknown %s is rejected', async (_name, operation) => {
    const path = usualPath(operation);
    const and = path.includes('?') ? '&' : '?';
    const ask = (query: string) =>
      call(operation, path + and + query, { body: bodyFor(operation) });
    const bad = contract.badQueries(operation);
    const refused = bad.map((query) => [query, 400, 'invalid_query', ask(query)] as const);
    expect(await wrongOf(operation, refused)).toEqual([]);
  });
});

describe('a condition of', () => {
  const conditional = operations.filter(({ headers }) => headers.includes('If-Match'));
  test.each(named(conditional))(
    'a failed condition of %s is rejected',
    async (_name, operation) => {
      const asked = call(operation, usualPath(operation), {
        body: bodyFor(operation),
        headers: { 'if-match': '"of another state"' },
      });
      const refused = ['another tag', 412, 'precondition_failed', asked] as const;
      expect(await wrongOf(operation, [refused])).toEqual([]);
    },
  );

  const once = operations.filter(({ headers }) => headers.includes('Idempotency-Key'));
  test.each(named(once))('an invalid key for %s is rejected', async (_name, operation) => {
    const asked = call(operation, usualPath(operation), {
      body: bodyFor(operation),
      headers: { 'idempotency-key': '"' },
    });
    expect(await wrongOf(operation, [['no key', 422, 'invalid_field', asked]])).toEqual([]);
  });
});

describe('a state that forbids it', () => {
  const byName = (wanted: string) => operations.filter(({ name }) => name === wanted);
  test.each<[string, () => Promise<string>, string]>([
    ['deleteChannel', async () => `/v1/admin/channels/${pathFixtures.channelId}`, 'in_use'],
    [
      'activateWebhook',
      async () => `/v1/admin/webhooks/${await fixtures.draft()}/activate`,
      'setup_incomplete',
    ],
    [
      'resumeWebhook',
      async () => `/v1/admin/webhooks/${await fixtures.draft()}/resume`,
      'invalid_transition',
    ],
  ])('is what %s is answered', async (name, path, code) => {
    const [operation] = byName(name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const asked = call(operation, await path());
    expect(await wrongOf(operation, [['now', 409, code, asked]])).toEqual([]);
  });
});

describe('a sender', () => {
  const ofSenders = operations.filter(({ scope }) => !scope);
  test.each(named(ofSenders))('is rejected by %s without the key', async (_name, operation) => {
    const path = usualPath(operation).replace(
      pathFixtures.key,
      'x'.repeat(pathFixtures.key.length),
    );
    const asked = call(operation, path, { body: operation.method === 'POST' ? {} : undefined });
    expect(await wrongOf(operation, [['no key', 401, 'invalid_key', asked]])).toEqual([]);
  });
});

test('too many streams are rejected with Retry-After', async () => {
  const watching = operations.filter(({ name }) => name in streamTriggers);
  const controller = new AbortController();
  for (const operation of watching) {
    const token = await api.addToken(['viewer', 'inbox']);
    const asked = { headers: { keyapi: token }, signal: controller.signal };
    const path = usualPath(operation);
    for (let n = 0; n < 10; n += 1) await fetch(api.url + path, asked);
    const one = call(operation, path, { token });
    expect(await wrongOf(operation, [['one more', 429, 'rate_limited', one]])).toEqual([]);
  }
  controller.abort();
  expect(watching).toHaveLength(3);
});
