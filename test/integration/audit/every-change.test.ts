// Every route that changes something either writes an audit row, or is listed here with the reason. A new route without a line
// below fails.
import type { Route } from '../../../src/http/routing/route.ts';
import { apiRoutes } from '../../../src/api/route-table.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import {
  conversationRequests,
  writeRequests,
  createFixtures,
  root,
  type Fixtures,
} from '../../support/openapi/write-requests.ts';

let api: TestApi;
let routes: Route[];
let things: Fixtures;
beforeAll(async () => {
  api = await createTestApi('http_changes');
  routes = apiRoutes(api.context);
  things = createFixtures(api);
});
afterAll(() => api.close());

/** Why a route other than GET writes no row. */
const without: Readonly<Record<string, string>> = {
  'POST /channels/:id/test': 'sends a message without a contact, and changes nothing',
  'POST /notices/targets/:id/test': 'sends a notice about nothing, and changes nothing',
  'POST /channels/:id/probe':
    'enables only a channel that Inlet disabled, with the row of that change',
  'POST /webhooks/:id/register':
    'writes the rows of a key and of the settings once the service answers: telegram-registration.test.ts',
  'POST /webhooks/:id/mappings/preview': 'shows what would be',
  'POST /webhooks/:id/mappings/diff': 'shows what would be',
  'POST /webhooks/:id/mappings/suggest': 'shows what could be',
  'POST /webhooks/:id/mappings/repair': 'shows what could be',
};

const nameOf = ({ method, path }: Route) => `${method} ${path.slice(root.length)}`;

test('every route that changes something is listed here, and no other', () => {
  const changing = routes.filter(
    ({ method, path }) => method !== 'GET' && path.startsWith(`${root}/`),
  );
  expect(Object.keys({ ...writeRequests, ...without }).toSorted()).toEqual(
    changing.map(nameOf).toSorted(),
  );
});

const rows = () => api.connection.collection('audit');
const pathFor = (name: string, ids: readonly (string | number)[]): string => {
  const left = [...ids];
  return `${root}${name.split(' ')[1]?.replaceAll(/:\w+/g, () => String(left.shift()))}`;
};

test.each(Object.keys(writeRequests))('%s writes an audit row', async (name) => {
  const { ids = [], ...given } = (await writeRequests[name]?.(things)) ?? {};
  const before = await rows().countDocuments();
  const [method = ''] = name.split(' ');
  const answer = await api.ask(method, pathFor(name, ids), given);
  expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text]);
  const added = await rows().find().sort({ _id: 1 }).skip(before).toArray();
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({
    actor: { name: 'INLET_ADMIN_TOKEN' },
    address: '127.0.0.1',
    action: expect.stringMatching(/^[a-z]+\.[a-z_]+$/),
  });
  expect([added[0]?.['before'], added[0]?.['after']]).not.toEqual([null, null]);
});

describe('the conversations API', () => {
  /** Why a route other than GET writes no row. */
  const unaudited: Readonly<Record<string, string>> = {
    'POST /chat/:chat_id': 'the message itself says who sent it',
    'POST /chat/:chat_id/read': 'changes no more than what the reader sees',
  };
  const isConversation = ({ method, path }: Route) =>
    method !== 'GET' && !path.startsWith(`${root}/`) && !path.startsWith('/v1/console/');

  test('has its changes listed here', () => {
    const changing = routes.filter(isConversation);
    expect(Object.keys({ ...conversationRequests, ...unaudited }).toSorted()).toEqual(
      changing.map(({ method, path }) => `${method} ${path.slice('/v1'.length)}`).toSorted(),
    );
  });

  test.each(Object.keys(conversationRequests))('%s writes an audit row', async (name) => {
    const { ids = [], ...given } = (await conversationRequests[name]?.(things)) ?? {};
    const before = await rows().countDocuments();
    const [method = ''] = name.split(' ');
    const path = pathFor(name, ids).replace(root, '/v1');
    const answer = await api.ask(method, path, given);
    expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text]);
    const added = await rows().find().sort({ _id: 1 }).skip(before).toArray();
    expect(added.length).toBeGreaterThan(0);
    for (const row of added) expect([row['before'], row['after']]).not.toEqual([null, null]);
  });
});

test('the creation of the first token writes a row without the token', async () => {
  await api.stores.tokens.createFirst({ name: 'First token', hash: 'its-hash' });
  const [row] = await rows().find({ action: 'token.create' }).toArray();
  expect(row).toMatchObject({
    actor: { name: 'first start' },
    target: { type: 'token' },
    address: null,
    after: { name: 'First token', scopes: ['admin'] },
  });
  expect(JSON.stringify(row)).not.toContain('its-hash');
});
