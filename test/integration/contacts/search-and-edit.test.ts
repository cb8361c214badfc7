// Contacts over HTTP: search, edit, merge, unmerge, erase.
import { collectionOf } from '../../support/services/collections.ts';
import { createErasureContext } from '../../support/context/erasures.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';

let api: TestApi;
let webhook: Webhook;
const path = '/v1/admin/contacts';
const ids: Record<string, string> = {};

const lead = (id: string, given: object) => ({
  id,
  at: `2026-01-02T12:00:0${id}Z`,
  type: 'lead',
  text: 'hello',
  lead: given,
});

async function tell(id: string, given: object): Promise<string> {
  const eventId = await api.send(webhook, lead(id, given));
  await api.processEvents([eventId]);
  const event = await api.stores.events.get(eventId);
  return event?.effects?.contactId ?? '';
}

beforeAll(async () => {
  api = await createTestApi('contacts');
  webhook = await api.addWebhook();
  ids.ana = await tell('1', { id: '7', name: 'Ána Souza', phone: '11 90000-0001', city: 'Recife' });
  ids.bia = await tell('2', { name: 'Bia Lima', email: 'bia@example.com' });
  ids.ana2 = await tell('3', { name: 'ANA Maria', email: 'ana@example.com' });
});
afterAll(() => api.close());

const names = async (query: string): Promise<string[]> => {
  const { status, body } = await api.ask('GET', `${path}?${query}`);
  expect(status).toBe(200);
  return body.data.results.map(({ name }: { name: string }) => name).toSorted();
};

test.each([
  ['', ['ANA Maria', 'Bia Lima', 'Ána Souza']],
  ['search=ana', ['ANA Maria', 'Ána Souza']],
  ['search=ana%20s', ['Ána Souza']],
  ['phone=%2B55%2011%2090000-0001', ['Ána Souza']],
  ['phone=551190000001', []],
  ['email=BIA@example.com', ['Bia Lima']],
  ['externalId=7', ['Ána Souza']],
  ['externalId=7&email=bia@example.com', []],
  ['email=bia@example.com&search=bia', ['Bia Lima']],
  ['email=bia@example.com&search=ana', []],
  ['search=z', []],
])('contacts are found by %s', async (query, found) => {
  expect(await names(query)).toEqual(found);
});

test('external ids of too many webhooks are rejected, and found with a webhook filter', async () => {
  const more = Array.from({ length: 200 }, (_, n) => ({ _id: `more-${n}`, status: 'archived' }));
  const webhooks = api.connection.collection('webhooks');
  await webhooks.insertMany(more as never);
  const many = `externalId=${Array.from({ length: 100 }, (_, n) => n).join(',')}`;
  const refused = await api.ask('GET', `${path}?${many}`);
  expect([refused.status, refused.body.data.code]).toEqual([400, 'invalid_query']);
  expect(refused.body.data.fields).toMatchObject([{ path: 'webhookId' }]);
  expect(await names(`${many}&webhookId=${webhook._id}`)).toEqual(['Ána Souza']);
  await webhooks.deleteMany({ status: 'archived' });
});

test('an identity is looked up in each channel, and rejected when there are too many', async () => {
  const channel = { name: 'Elsewhere', kind: 'inbox' };
  const { id: otherId } = (await api.ask('POST', '/v1/admin/channels', { body: channel })).body
    .data;
  const filter = 'email=bia@example.com';
  const phone = { phone_ddi: '55', phone: '11955550001' };
  const named = { name: 'Bia elsewhere', email: 'bia@example.com' };
  const body = { ...named, ...phone, channel_ids: [otherId] };
  const inbox = { body, token: await api.addToken(['inbox']) };
  const made = await api.ask('POST', '/v1/chat/contacts', inbox);
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  expect(await names(filter)).toEqual(['Bia Lima', 'Bia elsewhere']);
  const channels = api.connection.collection('channels');
  const more = Array.from({ length: 20_000 }, (_, n) => ({ _id: `more-${n}` }));
  await channels.insertMany(more as never);
  const refused = await api.ask('GET', `${path}?${filter}`);
  expect([refused.status, refused.body.data.fields]).toEqual([
    400,
    [
      {
        path: 'email',
        message: 'names too many identities: use fewer values, or webhookId',
      },
    ],
  ]);
  await channels.deleteMany({ _id: /^more-/ as never });
  await collectionOf(api.connection, 'contacts').deleteMany({ channelId: otherId });
});

test('a webhook without an external id is rejected: it would find the contacts of all webhooks', async () => {
  const refused = await api.ask('GET', `${path}?webhookId=${webhook._id}`);
  expect([refused.status, refused.body.data.fields]).toEqual([
    400,
    [{ path: 'webhookId', message: 'requires externalId' }],
  ]);
});

test('a page counts the items of all pages', async () => {
  const { body } = await api.ask('GET', `${path}?per_page=2&channelId=${webhook.channelId}`);
  expect(body.data.pagings).toMatchObject({ total: 3, count: 2, total_pages: 2 });
});

test('every search uses an index', async () => {
  const { connection } = api;
  const contacts = collectionOf(connection, 'contacts');
  const name = { 'registers.name.value': { $gte: 'ana', $lt: 'ana\u{ffff}' } };
  const plans = await Promise.all([
    contacts.find(name, { collation: { locale: 'en', strength: 1 } }).explain('queryPlanner'),
    contacts.find({}, { sort: { createdAt: -1, _id: -1 } }).explain('queryPlanner'),
    contacts.find({ channelId: 'x' }, { sort: { createdAt: -1, _id: -1 } }).explain('queryPlanner'),
    collectionOf(connection, 'conflicts')
      .find({ resolvedAt: null }, { sort: { createdAt: -1, _id: -1 } })
      .explain('queryPlanner'),
    collectionOf(connection, 'chats')
      .find({ contactId: { $in: ['x'] } }, { sort: { startedAt: -1 } })
      .explain('queryPlanner'),
  ]);
  for (const plan of plans) {
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('IXSCAN');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('COLLSCAN');
  }
});

test('a contact is read with the source of each value and its identities', async () => {
  const { body } = await api.ask('GET', `${path}/${ids.ana}`);
  expect(body.data).toMatchObject({ id: ids.ana, status: 'active', mergedInto: null, pins: [] });
  const name = body.data.registers.find(({ field }: { field: string }) => field === 'name');
  expect(name).toMatchObject({ value: 'Ána Souza', by: 'event', pinned: false, beneath: null });
  expect(name.rank).toBe('written');
  expect(name.eventId).toBe(body.data.history[0].eventId);
  expect(body.data.identities).toContainEqual({
    kind: 'externalId',
    value: '7',
    webhookId: webhook._id,
    contactId: ids.ana,
  });
  expect(body.data.chats).toHaveLength(1);
});

test('a pinned value stays, and returns to the events’ value when it is unpinned', async () => {
  const change = (body: object) => api.ask('PATCH', `${path}/${ids.bia}`, { body });
  const pinned = await change({ name: 'Bianca', fields: { city: 'Natal' }, pins: ['name'] });
  expect(pinned.body.data).toMatchObject({ name: 'Bianca', pins: ['name'] });
  expect(pinned.body.data.registers).toContainEqual(
    expect.objectContaining({ field: 'name', rank: 'pinned', by: 'person', beneath: 'Bia Lima' }),
  );
  expect(pinned.body.data.fields).toEqual({ city: 'Natal' });
  await tell('4', { name: 'Bia L.', email: 'bia@example.com', city: 'Olinda' });
  const read = await api.ask('GET', `${path}/${ids.bia}`);
  expect(read.body.data.name).toBe('Bianca');
  expect((await change({ pins: [] })).body.data.name).toBe('Bia L.');
  const { data } = (await api.ask('GET', `${path}/${ids.bia}`)).body;
  expect(data.history.map(({ what }: { what: string }) => what)).toContain('contact.change');
  const rows = await collectionOf(api.connection, 'audit')
    .find({ action: 'contact.change' })
    .toArray();
  expect(JSON.stringify(rows)).not.toContain('Bianca');
});

test.each([
  [{}, 422],
  [{ name: ' ' }, 422],
  [{ phone: 'none' }, 422],
  [{ email: 'nobody' }, 422],
  [{ nickname: 'Bi' }, 422],
  [{ pins: ['document'] }, 422],
  [{ pins: ['nickname'] }, 422],
  [{ email: 'ana@example.com' }, 409],
])('the change %j is rejected with %i and changes nothing', async (body, status) => {
  const before = await api.ask('GET', `${path}/${ids.bia}`);
  const refused = await api.ask('PATCH', `${path}/${ids.bia}`, { body });
  expect(refused.status).toBe(status);
  if (status === 409)
    expect(refused.body.data).toMatchObject({ state: 'identity_taken', contactId: ids.ana2 });
  const after = await api.ask('GET', `${path}/${ids.bia}`);
  expect(after.body.data).toEqual(before.body.data);
});

test('a number that a user adds is an identity: the next event with it belongs to the same contact', async () => {
  const { body } = await api.ask('PATCH', `${path}/${ids.bia}`, {
    body: { phone: '11 90000-0022' },
  });
  expect(body.data.phone).toBe('+5511900000022');
  expect(await tell('5', { phone: '+55 11 90000-0022' })).toBe(ids.bia);
});

test('a wrong merge is undone, and both histories show who did it', async () => {
  const merged = await api.ask('POST', `${path}/${ids.ana}/merge`, {
    body: { contactId: ids.ana2 },
  });
  expect(merged.status).toBe(200);
  expect(merged.body.data).toMatchObject({ id: ids.ana, email: 'ana@example.com' });
  expect(await names('email=ana@example.com')).toEqual(['ANA Maria']);
  const gone = await api.ask('GET', `${path}/${ids.ana2}`);
  expect(gone.body.data).toMatchObject({ status: 'merged', mergedInto: ids.ana });
  const again = await api.ask('POST', `${path}/${ids.bia}/merge`, {
    body: { contactId: ids.ana2 },
  });
  expect([again.status, again.body.data.state]).toEqual([409, 'merged']);
  const edit = await api.ask('PATCH', `${path}/${ids.ana2}`, { body: { name: 'x' } });
  expect([edit.status, edit.body.data.state]).toEqual([409, 'merged']);
  const apart = await api.ask('POST', `${path}/${ids.ana}/unmerge`, {
    body: { mergeId: merged.body.data.mergeId },
  });
  expect(apart.body.data).toMatchObject({ unmergedId: ids.ana2, email: null });
  const { data } = (await api.ask('GET', `${path}/${ids.ana2}`)).body;
  expect(data).toMatchObject({ status: 'active', email: 'ana@example.com' });
  const told = data.history.map(({ what }: { what: string }) => what);
  expect(told).toEqual(expect.arrayContaining(['contact.merge', 'contact.unmerge']));
});

test('merges and unmerges that are not possible are rejected', async () => {
  const other = await api.addWebhook();
  const eventId = await api.send(other, lead('1', { email: 'ana@example.com' }));
  await api.processEvents([eventId]);
  const elsewhere = (await api.stores.events.get(eventId))?.effects?.contactId;
  const into = (contactId: unknown) =>
    api.ask('POST', `${path}/${ids.ana}/merge`, { body: { contactId } });
  expect((await into(elsewhere)).body.data).toMatchObject({
    code: 'conflict',
    state: 'other_channel',
  });
  expect((await into(ids.ana)).body.data.state).toBe('same_contact');
  expect((await into(eventId)).status).toBe(422);
  const apart = await api.ask('POST', `${path}/${ids.ana}/unmerge`);
  expect([apart.status, apart.body.data.state]).toEqual([409, 'not_merged']);
  expect((await api.ask('GET', `${path}/${eventId}`)).status).toBe(404);
});

test('a bridging event is a conflict, which is dismissed, or resolved by a merge', async () => {
  const open = async () => (await api.ask('GET', `${path}/conflicts`)).body.data.results;
  await tell('6', { email: 'ana@example.com', phone: '+55 11 90000-0022' });
  await tell('7', { id: '7', email: 'ana@example.com' });
  const [last, first] = await open();
  expect(first.contacts.map(({ id }: { id: string }) => id)).toEqual([ids.bia, ids.ana2]);
  expect(last.named).toEqual([
    { kind: 'externalId', contactId: ids.ana },
    { kind: 'email', contactId: ids.ana2 },
  ]);
  const dismissed = await api.ask('POST', `${path}/conflicts/${first.id}/dismiss`);
  expect(dismissed.body.data).toMatchObject({ state: 'resolved', resolution: 'dismissed' });
  expect((await api.ask('POST', `${path}/conflicts/${first.id}/dismiss`)).status).toBe(409);
  await api.ask('POST', `${path}/${ids.ana}/merge`, { body: { contactId: ids.ana2 } });
  expect(await open()).toEqual([]);
  await api.ask('POST', `${path}/${ids.ana}/unmerge`);
  expect((await open()).map(({ id }: { id: string }) => id)).toEqual([last.id]);
});

test('a chat is read with the event of each message, and only under its own contact', async () => {
  const whole = (await api.ask('GET', `${path}/${ids.ana}`)).body.data;
  const place = `${path}/${ids.ana}/chats/${whole.chats[0].id}`;
  const chat = (await api.ask('GET', place)).body.data;
  expect(chat).toMatchObject({ contactId: ids.ana, status: 'ura_webhook', sector: null });
  const { results } = (await api.ask('GET', `${place}/messages?sort_by=at`)).body.data;
  expect(results[0]).toMatchObject({ from: 'client', text: 'hello', delivery: null });
  expect(whole.history.map(({ eventId }: { eventId: string }) => eventId)).toContain(
    results[0].eventId,
  );
  const foreign = place.replace(ids.ana ?? '', ids.bia ?? '');
  expect((await api.ask('GET', foreign)).status).toBe(404);
  expect((await api.ask('GET', `${foreign}/messages`)).status).toBe(404);
  const token = await api.addToken(['viewer']);
  expect((await api.ask('GET', place, { token })).status).toBe(403);
});

test('a viewer reads and changes nothing', async () => {
  const token = await api.addToken(['viewer']);
  expect((await api.ask('GET', path, { token })).status).toBe(200);
  for (const [method, place] of [
    ['PATCH', `/${ids.ana}`],
    ['POST', `/${ids.ana}/merge`],
    ['POST', `/${ids.ana}/unmerge`],
  ] as const)
    expect((await api.ask(method, `${path}${place}`, { token, body: {} })).status).toBe(403);
});

test('a person is erased over HTTP: first running, then with a certificate, and the contact is marked', async () => {
  const contactId = await tell('8', { name: 'Dora', email: 'dora@example.com' });
  const begun = await api.ask('POST', `${path}/${contactId}/erase`, { body: { block: true } });
  expect(begun.body.data).toMatchObject({ state: 'running', contactIds: [contactId], audit: null });
  await createErasureContext(api).toEnd();
  const { data } = (await api.ask('GET', `/v1/admin/erasures/${begun.body.data.id}`)).body;
  expect(data).toMatchObject({ state: 'done', counts: { contacts: 1, messages: 1, events: 1 } });
  expect(data.audit).toEqual({ id: expect.any(String) });
  const gone = await api.ask('GET', `${path}/${contactId}`);
  expect(gone.body.data).toMatchObject({ status: 'erased', name: null, identities: [], chats: [] });
  const again = await api.ask('POST', `${path}/${contactId}/erase`);
  expect([again.status, again.body.data.state]).toEqual([409, 'erased']);
  const listed = await api.ask('GET', '/v1/admin/blocks?email=dora@example.com');
  const [{ id }] = listed.body.data.results;
  expect((await api.ask('DELETE', `/v1/admin/blocks/${id}`)).body.data).toEqual({});
  expect((await api.ask('DELETE', `/v1/admin/blocks/${id}`)).status).toBe(404);
});

test.each([[{}], [{ reason: 'none' }], [{ email: 'nobody' }], [{ name: 'Dora' }]])(
  'no person can be erased by %j',
  async (body) => {
    expect((await api.ask('POST', `${path}/erase`, { body })).status).toBe(422);
  },
);
