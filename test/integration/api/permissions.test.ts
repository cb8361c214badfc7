// Authorization: every route as it declares itself, with every kind of token, against the real application. The generated client
// has the scope and the restriction of each route, so that a change of either is seen in a review.
import { newId } from '../../../src/base/ids.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { scopes, type Scope } from '../../../src/domain/access/token.ts';
import type { Route } from '../../../src/http/routing/route.ts';
import type { NoticeRecord } from '../../../src/domain/notices/notice.ts';
import { planNotices } from '../../../src/domain/notices/plan.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel, aFile, anEvent, aRejection, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { stubbedRoutes } from '../../support/openapi/document.ts';
import { leadMapping } from '../../support/context/test-context.ts';

/** A webhook with its own channel and everything that can belong to one. */
type Place = Awaited<ReturnType<typeof makePlace>>;

let api: TestApi;
let own: Place;
let foreign: Place;
/** Has every scope, restricted to its own channel. */
let restricted: string;
const tokens = {} as Record<Scope, string>;

beforeAll(async () => {
  api = await createTestApi('http_permissions');
  for (const scope of scopes) tokens[scope] = await api.addToken([scope]);
  own = await makePlace('own');
  foreign = await makePlace('foreign');
  const restriction = { webhookIds: [], channelIds: [own.channelId] };
  restricted = await api.addToken(['admin'], { restriction });
});
afterAll(() => api.close());

async function addNotice(webhookId: string): Promise<void> {
  const condition = { kind: 'dead_rising', webhookId, subject: '', level: 0, facts: {} } as const;
  const notices = planNotices({
    open: [],
    findings: [{ kind: 'dead_rising', conditions: [condition], covers: () => true }],
    isOn: () => true,
    at: new Date(),
    turn: 1,
  });
  await collectionOf<NoticeRecord>(api.connection, 'notices').insertMany(notices);
}

async function makePlace(name: string) {
  const settings = { url: 'http://127.0.0.1:9/' };
  const channelId = await aChannel(api, { name, kind: 'http', settings });
  const webhook = await aWebhook(api, { name, channelId, mapping: leadMapping });
  const { id: webhookId, key, path: admin } = webhook;
  const lead = { id: newId(), text: 'hello', lead: { id: name, name, email: `${name}@x.test` } };
  const eventIds = [await anEvent(api, webhook, lead), await anEvent(api, webhook)];
  await api.processEvents(eventIds);
  await addNotice(webhookId);
  const run = await api.ask('POST', '/v1/admin/events/replay', {
    body: { filter: { webhookId }, perSecond: 1 },
  });
  const payload = { body: lead };
  const tested = await api.ask('POST', `${admin}/test-events`, { body: { payload } });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  await api.ask('POST', `${admin}/activate`, { body: { at } });
  const samples = await api.ask('GET', `${admin}/samples`);
  const rejectionId = await aRejection(api, webhook);
  const event = await api.ask('GET', `/v1/admin/events/${eventIds[0]}`);
  const { contactId, chatId, messageId } = event.body.data.effects;
  const ids = { channelId, webhookId, eventId: eventIds[0], runId: run.body.data.id };
  const testEventId: string = tested.body.data.eventId;
  return {
    ...ids,
    key,
    testEventId,
    contactId,
    chatId,
    messageId,
    sampleId: samples.body.data.results[0].id,
    rejectionId,
    fileId: await aFile(api, chatId),
  };
}

/** The kind of resource whose id is the first parameter of a path. */
const nouns: readonly (readonly [prefix: string, idOf: (place: Place) => string])[] = [
  ['/v1/admin/channels', (place) => place.channelId],
  ['/v1/admin/webhooks', (place) => place.webhookId],
  ['/v1/admin/events', (place) => place.eventId ?? ''],
  ['/v1/admin/deliveries', (place) => place.messageId],
  ['/v1/admin/replays', (place) => place.runId],
  ['/v1/admin/contacts', (place) => place.contactId],
  ['/v1/chat/contacts', (place) => place.contactId],
  ['/v1/chat', (place) => place.chatId],
];
const nounOf = (path: string) => nouns.find(([prefix]) => path.startsWith(`${prefix}/:`));

const pathIn = (template: string, place: Place): string =>
  template
    .replace(/:version\b/, '1')
    .replace(/:sampleId\b/, place.sampleId)
    .replace(/:rejectionId\b/, place.rejectionId)
    .replace(/:eventId\b/, place.testEventId)
    .replace(/:chatId\b/, place.chatId)
    .replace(/:file_id\b/, place.fileId)
    .replace(/:\w+/, nounOf(template)?.[1](place) ?? newId())
    .replaceAll(/:\w+/g, newId());

/** Unknown ids, so that a permitted request changes nothing. */
const pathOfNobody = (template: string): string =>
  template.replace(/:version\b/, '1').replaceAll(/:\w+/g, newId());

const queries: Readonly<Record<string, string>> = {
  '/v1/chat': '?status=my_chats',
  '/v1/chat/search': '?query=hello',
  '/v1/chat/:chat_id/search': '?query=hello',
};

/** Returns the status only; a stream is not read. */
async function statusOf(operation: string, path: string, token: string | null): Promise<number> {
  const [method = '', template = ''] = operation.split(' ');
  const response = await fetch(`${api.url}${path}${queries[template] ?? ''}`, {
    method,
    headers: { ...(token !== null && { keyapi: token }), 'content-type': 'application/json' },
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
  });
  await response.body?.cancel();
  return response.status;
}

/**
 * What a restricted token may do with a route: nothing, what its restriction includes, lists and changes of what it includes, or
 * everything.
 */
type RestrictedAccess = 'refused' | 'own' | 'narrowed' | 'anything';

const reachedOf = ({ restriction }: Route): RestrictedAccess => {
  if (restriction === undefined) return 'refused';
  return typeof restriction === 'string' ? restriction : 'own';
};
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const templateOf = (operation: string): string => operation.split(' ')[1] ?? '';
const routes = stubbedRoutes();
const those = (reached: RestrictedAccess, method?: string) =>
  routes
    .filter((route) => reachedOf(route) === reached && route.method === (method ?? route.method))
    .map(nameOf);

const includes: Readonly<Record<Scope, readonly Scope[]>> = {
  admin: ['admin', 'operator', 'viewer', 'inbox'],
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
  inbox: ['inbox'],
};

test.each(routes.map((route) => [nameOf(route), route] as const))(
  '%s is allowed with the permission only',
  async (operation, route) => {
    const { scope: needed } = route;
    const path = pathOfNobody(templateOf(operation));
    const verdict = async (token: string | null) => {
      const status = await statusOf(operation, path, token);
      return status === 401 || status === 403 ? status : 'let through';
    };
    const expected = scopes.map((scope) =>
      needed === 'any' || includes[scope].includes(needed) ? 'let through' : 403,
    );
    const verdicts = await Promise.all(scopes.map((scope) => verdict(tokens[scope])));
    expect(verdicts).toEqual(expected);
    expect(await Promise.all([verdict(null), verdict(own.key)])).toEqual([401, 401]);
    expect(await verdict(restricted)).toBe(reachedOf(route) === 'refused' ? 403 : 'let through');
  },
);

describe('a restricted token', () => {
  test.each(those('own'))('finds no resource of others by %s', async (operation) => {
    const path = pathIn(templateOf(operation), foreign);
    expect(await statusOf(operation, path, restricted)).toBe(404);
  });

  test.each(those('own', 'GET').filter((one) => nounOf(templateOf(one))))(
    'finds its own by %s, while resources of others exist',
    async (operation) => {
      const template = templateOf(operation);
      expect(await statusOf(operation, pathIn(template, own), restricted)).toBe(200);
      expect(await statusOf(operation, pathIn(template, foreign), tokens.admin)).toBe(200);
    },
  );

  test('has not changed resources of others', async () => {
    const { body } = await api.ask('GET', `/v1/admin/webhooks/${foreign.webhookId}`);
    expect(body.data).toMatchObject({ name: 'foreign', status: 'active', activeVersion: 1 });
    const event = await api.ask('GET', `/v1/admin/events/${foreign.eventId}`);
    expect(event.body.data.state).toBe('done');
    const run = await api.ask('GET', `/v1/admin/replays/${foreign.runId}`);
    expect(run.body.data.state).toBe('running');
  });

  test('counts its own', async () => {
    const { body } = await api.ask('GET', '/v1/admin/webhooks/counts', { token: restricted });
    expect(body.data.total).toBe(1);
  });

  // Streams are not pages; the same filter restricts them. Counts and single results are not pages either.
  const isList = (operation: string) =>
    !/\/(?:counts|conflicts|effects|export|live|by-phone|unread-summary|workers|search)$|\/admin\/stats\b/.test(
      operation,
    );
  test.each(those('narrowed', 'GET').filter(isList))(
    'sees only its own in %s',
    async (operation) => {
      const path = templateOf(operation);
      const asked = await api.ask('GET', `${path}${queries[path] ?? ''}`, { token: restricted });
      expect(asked.body.data.pagings.total).toBeGreaterThan(0);
      const ids = [own, foreign].map(({ channelId, webhookId, contactId }) =>
        [channelId, webhookId, contactId].some((id) => asked.text.includes(id)),
      );
      expect(ids).toEqual([true, false]);
    },
  );

  test.each([
    ['/v1/admin/events', 'webhookId', 'webhookId'],
    ['/v1/admin/dead-letters', 'webhookId', 'webhookId'],
    ['/v1/admin/webhooks', 'channelId', 'channelId'],
    ['/v1/admin/deliveries', 'channelId', 'channelId'],
    ['/v1/chat', 'filter_worker_id', 'channelId'],
  ] as const)('finds nothing in %s by another’s %s', async (path, filter, field) => {
    const query = `${queries[path] ?? '?'}&${filter}=${foreign[field]}`;
    const asked = await api.ask('GET', `${path}${query}`, { token: restricted });
    expect([asked.status, asked.body.data.pagings?.total]).toEqual([200, 0]);
  });

  test('does not learn from a rejection how many ids of others have the same prefix', async () => {
    const events = collectionOf<EventRecord>(api.connection, 'events');
    const one = await events.findOne({ _id: foreign.eventId ?? '' });
    const alike = Array.from({ length: 101 }, (_empty, n) => {
      const { dedupKeys: _keys, ...rest } = { ...one, _id: newId(), externalId: `crowd-${n}` };
      return rest;
    });
    await events.insertMany(alike as never);
    const path = '/v1/admin/events?externalIdPrefix=crowd-';
    const whole = await api.ask('GET', path);
    const asked = await api.ask('GET', path, { token: restricted });
    await events.deleteMany({ externalId: /^crowd-/ });
    expect(whole.status).toBe(400);
    expect([asked.status, asked.body.data.pagings?.total]).toEqual([200, 0]);
  });

  test('replays events of its own webhooks, which it must name', async () => {
    const replay = async (body: object) => {
      const asked = await api.ask('POST', '/v1/admin/events/replay', { token: restricted, body });
      return [asked.status, asked.body.data.fields?.[0]?.path];
    };
    const preview = { preview: true };
    const mine = { filter: { webhookId: own.webhookId }, ...preview };
    expect(await replay(mine)).toEqual([200, undefined]);
    const refused = [422, '/filter/webhookId'];
    expect(await replay({ filter: { webhookId: foreign.webhookId } })).toEqual(refused);
    expect(await replay({ filter: { reason: 'x' } })).toEqual(refused);
    expect(await replay({ ids: [foreign.eventId] })).toEqual(refused);
  });

  test('creates webhooks in its own channel, and moves none to another', async () => {
    const make = (channelId: string) =>
      api.ask('POST', '/v1/admin/webhooks', { token: restricted, body: { name: 'x', channelId } });
    const [mine, theirs, nobodys] = await Promise.all(
      [own.channelId, foreign.channelId, newId()].map(make),
    );
    expect([mine?.status, theirs?.status]).toEqual([201, 422]);
    expect(theirs?.body.data.fields).toEqual(nobodys?.body.data.fields);
    const moved = await api.ask('PATCH', `/v1/admin/webhooks/${mine?.body.data.id}`, {
      token: restricted,
      body: { channelId: foreign.channelId },
    });
    expect(moved.status).toBe(422);
  });
});

test('a token for one webhook may access that webhook, and neither its channel nor the chats there', async () => {
  const restriction = { webhookIds: [own.webhookId], channelIds: [] };
  const token = await api.addToken(['admin'], { restriction });
  const totalOf = async (path: string) =>
    (await api.ask('GET', path, { token })).body.data.pagings.total as number;
  expect(await totalOf('/v1/admin/webhooks')).toBe(1);
  expect(await totalOf('/v1/admin/channels')).toBe(0);
  expect(await totalOf('/v1/chat?status=my_chats')).toBe(0);
  const read = await api.ask('GET', `/v1/admin/channels/${own.channelId}`, { token });
  expect(read.status).toBe(404);
});

test('a webhook that moves to another channel is no longer accessible to tokens of the first', async () => {
  const { channelId } = await makePlace('left');
  const token = await api.addToken(['viewer'], {
    restriction: { webhookIds: [], channelIds: [channelId] },
  });
  const { path } = await aWebhook(api, { name: 'moving', channelId });
  expect((await api.ask('GET', path, { token })).status).toBe(200);
  await api.ask('PATCH', path, { body: { channelId: own.channelId } });
  expect((await api.ask('GET', path, { token })).status).toBe(404);
});
