import { Type } from 'typebox';
import { AppError } from '../../../../src/base/errors.ts';
import { createEtag } from '../../../../src/http/requests/etag.ts';
import { resource, resourceRoute } from '../../../../src/http/routing/resource.ts';
import { route } from '../../../../src/http/routing/route.ts';
import { strictObject } from '../../../../src/http/routing/schemas.ts';
import { serveRoutes, type RouteServer } from '../../../support/context/route-server.ts';

type Thing = { name: string; uses: number };
const labels = { en: 'Blue', 'pt-BR': 'Azul', es: 'Azul' };
const shape = strictObject({ name: Type.String(), label: Type.String(), uses: Type.Integer() });
const thing = resource({
  answer: shape,
  present: ({ name, uses }: Thing, language) => ({ name, label: labels[language], uses }),
});
const counted = resource({ ...thing, untagged: ['uses'] });

const kept: Thing = { name: 'first', uses: 0 };
let raced: Thing | undefined;
const common = {
  scope: 'viewer',
  operationId: 'getThing',
  tag: 'Webhooks',
  summary: 'A thing',
} as const;
const rename = {
  ...common,
  method: 'PATCH',
  body: strictObject({ name: Type.String({ maxLength: 5 }) }),
  find: () => Promise.resolve(kept),
} as const;

const routes = [
  resourceRoute(thing, { ...common, method: 'GET', path: '/thing', handle: async () => kept }),
  resourceRoute(thing, {
    ...rename,
    path: '/thing',
    handle: async ({ body, caller }) => {
      // As a store does, inside its transaction, with the record at that time.
      caller.checkPrecondition?.(raced ?? kept);
      return { ...kept, ...body };
    },
  }),
  resourceRoute(thing, {
    ...rename,
    path: '/gone',
    find: () => Promise.reject(new AppError('not_found')),
    handle: async () => kept,
  }),
  resourceRoute(counted, { ...common, method: 'GET', path: '/counted', handle: async () => kept }),
  route({
    ...common,
    method: 'GET',
    path: '/plain',
    hasEtag: true,
    answer: strictObject({ n: Type.Integer() }),
    handle: async () => ({ n: 1 }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/plain',
    answer: strictObject({}),
    handle: async () => ({}),
  }),
];

let table: RouteServer;
beforeAll(async () => {
  table = await serveRoutes(routes);
});
afterAll(() => table.close());
beforeEach(() => {
  kept.uses = 0;
  raced = undefined;
});

const tagOf = async (path: string, headers: Record<string, string> = {}) =>
  (await table.ask(path, { headers })).headers.get('etag') ?? '';
const patch = (match: string, body = '{"name":"other"}') =>
  // As bytes, so that fetch adds no content type.
  table.ask('/thing', {
    method: 'PATCH',
    body: Buffer.from(body),
    headers: { 'if-match': match },
  });

test('an etag is strong, the same in every language, and changes with the shown fields', async () => {
  const tag = await tagOf('/thing');
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await tagOf('/thing', { 'accept-language': 'pt-BR' })).toBe(tag);
  kept.uses = 1;
  expect(await tagOf('/thing')).not.toBe(tag);
});

test('fields that change by use are not part of the etag', async () => {
  const tag = await tagOf('/counted');
  kept.uses = 1;
  expect(await tagOf('/counted')).toBe(tag);
});

test('a change is answered with the new etag', async () => {
  const tag = await tagOf('/thing');
  const answer = await patch(tag);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('etag')).toBe(thing.etagOf({ name: 'other', uses: 0 }));
});

test.each([
  ['the tag', (tag: string) => tag, 200],
  ['any', () => '*', 200],
  ['a list that has it', (tag: string) => `"x", W/"y" ,${tag}`, 200],
  ['another tag', () => '"0123"', 412],
  ['a weak tag', (tag: string) => `W/${tag}`, 412],
  ['a tag without its marks', (tag: string) => tag.slice(1, -1), 412],
  ['nothing', () => '', 412],
])('If-Match with %s', async (_what, match, status) => {
  const answer = await patch(match(await tagOf('/thing')));
  expect(answer.status).toBe(status);
  if (status === 412) {
    expect(await answer.json()).toMatchObject({ data: { code: 'precondition_failed' } });
  }
});

test('a stale etag is reported before an invalid body, and after a missing resource', async () => {
  expect((await patch('"stale"', 'no JSON')).status).toBe(412);
  expect((await patch(await tagOf('/thing'), 'no JSON')).status).toBe(400);
  const gone = await table.ask('/gone', { method: 'PATCH', headers: { 'if-match': '"x"' } });
  expect(gone.status).toBe(404);
});

test('a change detects that the record changed after the first check', async () => {
  const tag = await tagOf('/thing');
  raced = { name: 'faster', uses: 0 };
  expect((await patch(tag)).status).toBe(412);
});

test('an etag does not match a resource without etags', async () => {
  const post = (match: string) =>
    table.ask('/plain', { method: 'POST', headers: { 'if-match': match } });
  expect([(await post('"x"')).status, (await post('*')).status]).toEqual([412, 200]);
});

test('a client that has the current version gets 304 without a body', async () => {
  const tag = await tagOf('/plain');
  expect(tag).toBe(createEtag({ n: 1 }));
  for (const known of [tag, `W/${tag}`, '*', `"x", ${tag}`]) {
    const answer = await table.ask('/plain', { headers: { 'if-none-match': known } });
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([
      304,
      tag,
      '',
    ]);
  }
  expect((await table.ask('/plain', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
});

test('an etag that excludes fields never gives 304', async () => {
  const headers = { 'if-none-match': await tagOf('/counted') };
  expect((await table.ask('/counted', { headers })).status).toBe(200);
});
