// Every route that changes something writes an audit row, or is listed here with the reason.
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { operationsOf, type Json, type Operation } from '../../support/openapi/contract.ts';
import { documentOfStubs } from '../../support/openapi/document.ts';
import {
  createPathFixtures,
  requestsFor,
  type PathFixtures,
} from '../../support/openapi/requests.ts';
import { createFixtures, root, type Fixtures } from '../../support/openapi/write-requests.ts';

let api: TestApi;
let things: Fixtures;
let place: PathFixtures;
beforeAll(async () => {
  api = await createTestApi('http_changes');
  things = createFixtures(api);
  place = await createPathFixtures(api, things);
});
afterAll(() => api.close());

/** Why an operation other than GET writes no row. */
const without: Readonly<Record<string, string>> = {
  createConsoleSession: 'changes no more than the cookie of the browser',
  deleteConsoleSession: 'changes no more than the cookie of the browser',
  testChannel: 'sends a message without a contact, and changes nothing',
  testNoticesTarget: 'sends a notice about nothing, and changes nothing',
  probeChannel: 'enables only a channel that Inlet disabled, with the row of that change',
  registerWebhook:
    'writes the rows of a key and of the settings once the service answers: telegram-registration.test.ts',
  previewWebhookMappings: 'shows what would be',
  diffWebhookMappings: 'shows what would be',
  suggestWebhookMappings: 'shows what could be',
  repairWebhookMappings: 'shows what could be',
  sendMessage: 'the message itself says who sent it',
  markChatRead: 'changes no more than what the reader sees',
};

const changes = operationsOf(documentOfStubs() as Json).filter(
  ({ scope, method }) => scope && method !== 'GET',
);
const rows = () => api.connection.collection('audit');

test('every exception is an operation', () => {
  const names = new Set(changes.map(({ name }) => name));
  expect(Object.keys(without).filter((name) => !names.has(name))).toEqual([]);
});

/** The rows that a valid request adds. */
async function rowsOf(operation: Operation) {
  const request = (await requestsFor(operation, { place, things })).at(-1);
  if (!request) throw new Error(`${operation.name} has no valid request.`);
  const before = await rows().countDocuments();
  const answer = await api.ask(operation.method, request.path, request);
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  return rows().find().sort({ _id: 1 }).skip(before).toArray();
}

const audited = changes.filter(({ name }) => !Object.hasOwn(without, name));
test.each(audited.map((one) => [one.name, one] as const))(
  '%s writes an audit row',
  async (_name, operation) => {
    const added = await rowsOf(operation);
    expect(added.length).toBeGreaterThan(0);
    for (const row of added) {
      expect([row['before'], row['after']]).not.toEqual([null, null]);
      expect(row).toMatchObject({
        address: '127.0.0.1',
        action: expect.stringMatching(/^[a-z]+\.[a-z_]+$/),
      });
    }
    if (!operation.path.startsWith(`${root}/`)) return;
    expect(added).toHaveLength(1);
    expect(added[0]).toMatchObject({ actor: { name: 'INLET_ADMIN_TOKEN' } });
  },
);

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
