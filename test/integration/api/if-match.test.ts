// Two administrators edit the same resource concurrently: the second gets 412 and overwrites nothing.
import { newId } from '../../../src/base/ids.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel, anEvent, aWebhook, type BuiltWebhook } from '../../support/context/builders.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let channelPath: string;
let channelId: string;

beforeAll(async () => {
  api = await createTestApi('http_editing');
  channelId = await aChannel(api);
  channelPath = `/v1/admin/channels/${channelId}`;
});
afterAll(() => api.close());

const addWebhook = async (): Promise<string> => (await aWebhook(api, { channelId })).path;

/** Active, with two mapping versions. */
async function addActive(): Promise<BuiltWebhook> {
  const saying = (text: string) => ({ message: { text: { const: text } } });
  const webhook = await aWebhook(api, { channelId, mapping: saying('one') });
  await api.ask('POST', `${webhook.path}/mappings`, { body: { mapping: saying('two') } });
  return webhook;
}

const tagOf = async (path: string): Promise<string> =>
  (await api.ask('GET', path)).headers.get('etag') ?? '';
const rowsOf = (path: string): Promise<number> =>
  collectionOf(api.connection, 'audit').countDocuments({
    'target.id': { $in: path.split('/').slice(4) },
  });

const later = (n: number) => new Date(Date.UTC(2100, 0, n)).toISOString();

/** A contact as processing creates it. */
async function addContact(): Promise<string> {
  const at = new Date();
  const contact = { _id: newId(), channelId, registers: {}, createdAt: at, updatedAt: at };
  await collectionOf(api.connection, 'contacts').insertOne(contact);
  return `/v1/admin/contacts/${contact._id}`;
}

/** An event that no worker has claimed. */
async function addEvent(): Promise<string> {
  return `/v1/admin/events/${await anEvent(api, await addActive())}`;
}

type Edit = { method: string; path: string; read: string; body: (n: number) => unknown };
const told = ({ status, body }: Answer) => [status, body.data.code ?? null];

const edits: [what: string, prepare: () => Promise<Edit>][] = [
  [
    'a channel',
    async () => ({
      method: 'PATCH',
      path: channelPath,
      read: channelPath,
      body: (n) => ({ name: `Inbox ${n}` }),
    }),
  ],
  [
    'a webhook',
    async () => {
      const path = await addWebhook();
      return { method: 'PATCH', path, read: path, body: (n) => ({ name: `Leads ${n}` }) };
    },
  ],
  [
    'a secret, of which nothing is shown',
    async () => {
      const path = `${await addWebhook()}/settings`;
      const signature = (n: number) => ({ scheme: 'github', secrets: [`secret-${n}`] });
      await api.ask('PATCH', path, { body: { signature: signature(0) } });
      const body = (n: number) => ({ signature: signature(n) });
      return { method: 'PATCH', path, read: path, body };
    },
  ],
  [
    'a token',
    async () => {
      const body = { name: 'Reader', scopes: ['viewer'] };
      const made = await api.ask('POST', '/v1/admin/tokens', { body });
      const path = `/v1/admin/tokens/${made.body.data.id}`;
      return { method: 'PATCH', path, read: path, body: (n) => ({ expiresAt: later(n) }) };
    },
  ],
  [
    'a sample',
    async () => {
      const webhook = await addWebhook();
      const body = { body: { password: 'hidden' } };
      const made = await api.ask('POST', `${webhook}/samples`, { body });
      const path = `${webhook}/samples/${made.body.data.id}`;
      return { method: 'PATCH', path, read: path, body: (n) => ({ name: `Sample ${n}` }) };
    },
  ],
  [
    'a contact',
    async () => {
      const path = await addContact();
      return {
        method: 'PATCH',
        path,
        read: path,
        body: (n) => ({ fields: { city: `City ${n}` } }),
      };
    },
  ],
  [
    'the active version',
    async () => {
      const { path: read } = await addActive();
      const body = (n: number) => ({ version: 1 + (n % 2) });
      return { method: 'POST', path: `${read}/activate`, read, body };
    },
  ],
];

test.each(edits)(
  'of concurrent changes of %s with the same etag, one succeeds',
  async (_what, prepare) => {
    const { method, path, read, body } = await prepare();
    const rows = await rowsOf(read);
    const tag = await tagOf(read);
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        api.ask(method, path, { body: body(n), headers: { 'if-match': tag } }),
      ),
    );
    const changed = answers.filter(({ status }) => status === 200);
    expect(changed).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 200) expect(told(answer)).toEqual([412, 'precondition_failed']);
    }
    expect(await rowsOf(read)).toBe(rows + 1);
    const now = await api.ask('GET', read);
    expect(now.body.data).toEqual(changed[0]?.body.data);
    expect(now.headers.get('etag')).toBe(changed[0]?.headers.get('etag'));
  },
);

test('a client with the current etag may change the resource, and continues with the etag of the answer', async () => {
  const path = await addWebhook();
  let tag = await tagOf(path);
  for (const name of ['First', 'Second']) {
    const headers = { 'if-match': tag };
    const answer = await api.ask('PATCH', path, { body: { name }, headers });
    expect(answer.status).toBe(200);
    tag = answer.headers.get('etag') ?? '';
  }
  const made = await api.ask('POST', '/v1/admin/webhooks', { body: { name: 'Leads', channelId } });
  expect(made.headers.get('etag')).toBe(await tagOf(`/v1/admin/webhooks/${made.body.data.id}`));
});

test('a webhook that was paused in between gives 412 before 409', async () => {
  const { path } = await addActive();
  const headers = { 'if-match': await tagOf(path) };
  expect((await api.ask('POST', `${path}/pause`, { headers })).status).toBe(200);
  expect(told(await api.ask('POST', `${path}/pause`, { headers }))).toEqual([
    412,
    'precondition_failed',
  ]);
  expect(told(await api.ask('POST', `${path}/pause`))).toEqual([409, 'invalid_transition']);
});

test('using a token does not change its etag, and a sample that was renamed in between is not deleted', async () => {
  const body = { name: 'Used', scopes: ['admin'] };
  const made = await api.ask('POST', '/v1/admin/tokens', { body });
  const path = `/v1/admin/tokens/${made.body.data.id}`;
  const tag = await tagOf(path);
  expect(made.headers.get('etag')).toBe(tag);
  const used = await api.ask('GET', path, { token: made.body.data.token });
  expect([used.status, used.headers.get('etag')]).toEqual([200, tag]);

  const webhook = await addWebhook();
  const added = await api.ask('POST', `${webhook}/samples`, { body: { body: { n: 1 } } });
  const sample = `${webhook}/samples/${added.body.data.id}`;
  const headers = { 'if-match': await tagOf(sample) };
  await api.ask('PATCH', sample, { body: { name: 'Kept' } });
  expect(told(await api.ask('DELETE', sample, { headers }))).toEqual([412, 'precondition_failed']);
  expect((await api.ask('GET', sample)).body.data.name).toBe('Kept');
});

test('a contact that was changed in between is neither merged nor unmerged', async () => {
  const [path, other, third] = [await addContact(), await addContact(), await addContact()];
  const stale = { 'if-match': await tagOf(path) };
  const fresh = await api.ask('PATCH', path, { body: { fields: { city: 'Recife' } } });
  const idOf = (one: string) => one.split('/').at(-1);
  const merge = (one: string, tag: string) =>
    api.ask('POST', `${path}/merge`, {
      body: { contactId: idOf(one) },
      headers: { 'if-match': tag },
    });
  expect(told(await merge(other, stale['if-match']))).toEqual([412, 'precondition_failed']);
  const merged = await merge(other, fresh.headers.get('etag') ?? '');
  expect(merged.status).toBe(200);
  expect(merged.headers.get('etag')).toBe(await tagOf(path));
  expect((await merge(third, merged.headers.get('etag') ?? '')).status).toBe(200);
  expect(told(await api.ask('POST', `${path}/unmerge`, { headers: stale }))).toEqual([
    412,
    'precondition_failed',
  ]);
  const headers = { 'if-match': await tagOf(path) };
  const apart = await api.ask('POST', `${path}/unmerge`, { headers });
  expect([apart.status, apart.headers.get('etag')]).toEqual([200, await tagOf(path)]);
});

test('a contact that was changed in between is not erased; with the current etag it is', async () => {
  const path = await addContact();
  const stale = { 'if-match': await tagOf(path) };
  const body = { fields: { city: 'Recife' } };
  const fresh = { 'if-match': (await api.ask('PATCH', path, { body })).headers.get('etag') ?? '' };
  const erase = (headers: Record<string, string>) => api.ask('POST', `${path}/erase`, { headers });
  expect(told(await erase(stale))).toEqual([412, 'precondition_failed']);
  expect((await api.ask('GET', '/v1/admin/erasures')).body.data.results).toEqual([]);
  expect((await erase(fresh)).status).toBe(200);
});

test('an event is only replayed or discarded in the state that was read', async () => {
  const path = await addEvent();
  const read = { 'if-match': await tagOf(path) };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => api.ask('POST', `${path}/discard`, { headers: read })),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(3);
  expect(told(await api.ask('POST', `${path}/replay`, { headers: read }))).toEqual([
    412,
    'precondition_failed',
  ]);
  const tag = done[0]?.headers.get('etag') ?? '';
  expect(tag).toBe(await tagOf(path));
  const replayed = await api.ask('POST', `${path}/replay`, { headers: { 'if-match': tag } });
  expect([replayed.status, replayed.headers.get('etag')]).toEqual([200, await tagOf(path)]);
});

test('a test event that has changed is not deleted, and a channel that has changed is not tested', async () => {
  const { path: webhook } = await addActive();
  const body = { payload: { body: { id: '1' } } };
  const made = await api.ask('POST', `${webhook}/test-events`, { body });
  const path = `${webhook}/test-events/${made.body.data.eventId}`;
  const stale = { 'if-match': await tagOf(path) };
  const _id = made.body.data.eventId as string;
  const events = collectionOf<{ _id: string; state: string }>(api.connection, 'events');
  await events.updateOne({ _id }, { $set: { state: 'dead' } });
  expect(told(await api.ask('DELETE', path, { headers: stale }))).toEqual([
    412,
    'precondition_failed',
  ]);
  const headers = { 'if-match': await tagOf(path) };
  expect((await api.ask('DELETE', path, { headers })).status).toBe(200);

  const test = (tag: string) =>
    api.ask('POST', `${channelPath}/test`, { headers: { 'if-match': tag } });
  expect((await test(await tagOf(channelPath))).status).toBe(200);
  expect(told(await test(stale['if-match']))).toEqual([412, 'precondition_failed']);
});

test('a schedule has the etag of its webhook, and is removed with it', async () => {
  const { path } = await addActive();
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { version: 2, at };
  expect((await api.ask('POST', `${path}/activate`, { body })).status).toBe(200);
  const stale = { 'if-match': await tagOf(`${path}/schedule`) };
  expect(stale['if-match']).toBe(await tagOf(path));
  await api.ask('PATCH', path, { body: { name: 'Renamed' } });
  const refused = await api.ask('DELETE', `${path}/schedule`, { headers: stale });
  expect(told(refused)).toEqual([412, 'precondition_failed']);
  const headers = { 'if-match': await tagOf(`${path}/schedule`) };
  expect((await api.ask('DELETE', `${path}/schedule`, { headers })).status).toBe(200);
});

test('settings and name of a webhook have separate etags', async () => {
  const path = await addWebhook();
  const settings = await tagOf(`${path}/settings`);
  await api.ask('PATCH', path, { body: { name: 'Renamed' } });
  const body = { answer: { status: 202, contentType: 'text/plain', body: 'ok' } };
  const headers = { 'if-match': settings };
  expect((await api.ask('PATCH', `${path}/settings`, { body, headers })).status).toBe(200);
});
