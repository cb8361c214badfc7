// Contacts that clients create and change; labels, sectors and agents, and the lists to choose from.
import { changeAgent, createAgent } from '../../../src/api/chats/agents.ts';
import { newId } from '../../../src/base/ids.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { aChannel } from '../../support/context/builders.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let token: string;
let webhook: Webhook;

beforeAll(async () => {
  api = await createTestApi('conversation_contacts', { requestsPerMinute: 100_000 });
  token = await api.addToken(['inbox']);
  webhook = await api.addWebhook();
});
afterAll(() => api.close());

const callAs =
  (as: () => string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.ask(method, `/v1${path}`, { token: as(), ...(body !== undefined && { body }) });
const call = callAs(() => token);
const outcome = ({ status, body }: Answer) => [status, body.data.code ?? 'ok'];

let numbers = 0;
/** A number that no other test uses. */
const newPhone = () => `119${String(80_000_000 + (numbers += 1))}`;
const contactBody = (over: object = {}) => ({
  name: 'Ana Souza',
  phone_ddi: '55',
  phone: newPhone(),
  channel_ids: [webhook.channelId],
  ...over,
});

describe('a contact', () => {
  test('is created with its fields, and events of the same number find it', async () => {
    const body = contactBody({ email: 'ana@example.com', city: 'Recife', age: 41 });
    const { status, body: answer } = await call('POST', '/chat/contacts', body);
    const { contact_id: id } = answer.data;
    expect([status, answer.data]).toMatchObject([
      201,
      {
        id,
        name: 'Ana Souza',
        phone: body.phone,
        phone_ddi: '55',
        email: 'ana@example.com',
        fields: { city: 'Recife', age: '41' },
      },
    ]);
    const at = new Date(Date.now() + 60_000).toISOString();
    const lead = { id: newId(), at, lead: { phone: `+55${body.phone}`, name: 'Ana Lima' } };
    const eventId = await api.send(webhook, lead);
    await api.processEvents([eventId]);
    const event = await api.ask('GET', `/v1/admin/events/${eventId}`);
    expect(event.body.data.effects.contactId).toBe(id);
    expect((await call('GET', `/chat/contacts/${id}`)).body.data.name).toBe('Ana Lima');
  });

  test('is created from a form, as clients send it', async () => {
    const { phone, ...body } = contactBody();
    const form = new FormData();
    form.append('name', body.name);
    form.append('phone_ddi', '+55');
    form.append('phone', phone);
    form.append('channel_ids[]', webhook.channelId);
    const response = await fetch(`${api.url}/v1/chat/contacts`, {
      method: 'POST',
      headers: { keyapi: token },
      body: form,
    });
    expect(response.status).toBe(201);
    const found = await call('GET', `/chat/contacts/by-phone?phone_ddi=+55&phone=${phone}`);
    expect([found.status, found.body.data.phone]).toEqual([200, phone]);
  });

  test('with a number of another contact is a conflict that names it', async () => {
    const body = contactBody();
    const { body: first } = await call('POST', '/chat/contacts', body);
    const again = await call('POST', '/chat/contacts', { ...body, name: 'Bia' });
    expect([again.status, again.body.data]).toMatchObject([
      409,
      { code: 'conflict', contactId: first.data.id },
    ]);
    const both = { ...body, channel_ids: [await aChannel(api), webhook.channelId] };
    expect(outcome(await call('POST', '/chat/contacts', both))).toEqual([409, 'conflict']);
    const there = await call('GET', `/chat/contacts?filter_channel_id=${both.channel_ids[0]}`);
    expect(there.body.data.pagings.total).toBe(0);
  });

  test('is created once by many requests at the same time', async () => {
    const body = contactBody();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/chat/contacts', body)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409,
    ]);
  });

  test('is changed in the given fields only', async () => {
    const { body: first } = await call('POST', '/chat/contacts', contactBody({ city: 'Recife' }));
    const path = `/chat/contacts/${first.data.id}`;
    const changed = await call('PATCH', path, { name: 'Ana Lima', plan: 'gold' });
    expect(changed.body.data).toMatchObject({
      name: 'Ana Lima',
      phone: first.data.phone,
      fields: { city: 'Recife', plan: 'gold' },
    });
    const other = await call('POST', '/chat/contacts', contactBody());
    const taken = { phone_ddi: '55', phone: other.body.data.phone };
    expect((await call('PATCH', path, taken)).body.data).toMatchObject({
      code: 'conflict',
      contactId: other.body.data.id,
    });
    expect(outcome(await call('PATCH', path, { phone: newPhone() }))).toEqual([
      422,
      'invalid_field',
    ]);
    const numbered = Array.from({ length: 101 }, (_one, at) => [`field ${at}`, 'x']);
    for (const fields of [Object.fromEntries(numbered), { note: 'x'.repeat(5_001) }]) {
      const rejected = await call('PATCH', path, { fields });
      expect(outcome(rejected)).toEqual([422, 'invalid_field']);
    }
  });

  test.each([
    ['no name', { name: undefined }],
    ['no channel', { channel_ids: [] }],
    ['an unknown channel', { channel_ids: [newId()] }],
    ['no number', { phone: 'x' }],
    ['a number that is none', { phone: '1' }],
    ['an object as a field', { city: {} }],
    ['an object in a list', { tags: [{}] }],
  ])('with %s is rejected', async (_what, over) => {
    expect(outcome(await call('POST', '/chat/contacts', contactBody(over)))).toEqual([
      422,
      'invalid_field',
    ]);
  });

  test('in a batch has a result of its own, in order', async () => {
    const [one, two] = [contactBody(), contactBody()];
    const { status, body } = await call('POST', '/chat/contacts/batch', [
      one,
      { ...one, name: 'Bia' },
      { ...two, phone: '1' },
      { name: 'Caio' },
      { ...two, tags: ['vip', 3] },
    ]);
    const [first] = body.data.results ?? [];
    expect([status, body.data.results ?? body.data]).toMatchObject([
      201,
      [
        { status: 'created', code: null },
        { status: 'failed', code: 'conflict', contactId: first?.id },
        { status: 'failed', code: 'invalid_field' },
        { status: 'failed', code: 'invalid_field' },
        { status: 'created' },
      ],
    ]);
    expect(outcome(await call('POST', '/chat/contacts/batch', []))[0]).toBe(422);
    const many = Array.from({ length: 101 }, () => one);
    expect(outcome(await call('POST', '/chat/contacts/batch', { contacts: many }))[0]).toBe(422);
  });

  test('of a restricted token is in its channels only', async () => {
    const foreign = await aChannel(api);
    const restriction = { webhookIds: [], channelIds: [foreign] };
    const narrow = await api.addToken(['inbox'], { restriction });
    const callNarrow = callAs(() => narrow);
    const outside = await callNarrow('POST', '/chat/contacts', contactBody());
    expect(outcome(outside)).toEqual([422, 'invalid_field']);
    const { body } = await call('POST', '/chat/contacts', contactBody());
    const start = { contact_id: body.data.id, worker_id: foreign };
    expect(outcome(await callNarrow('POST', '/chat/start-with-contact', start))[0]).toBe(404);
    const workers = await callNarrow('GET', '/chat/workers');
    expect(workers.body.data.map((one: { worker_id: string }) => one.worker_id)).toEqual([foreign]);
  });
});

describe.each([
  { path: '/label-template', idKey: 'label_template_id', nameKey: 'label' },
  { path: '/sector', idKey: 'sector_id', nameKey: 'name' },
])('$path', ({ path, idKey, nameKey }) => {
  const create = (name: string, over: object = {}) =>
    call('POST', path, { [nameKey]: name, color: '#123456', ...over });

  test('is created, read, changed, listed and deleted', async () => {
    const name = newId();
    const { status, body } = await create(name);
    const id: string = body.data[idKey];
    expect([status, body.data]).toMatchObject([201, { [nameKey]: name, color: '#123456' }]);
    expect((await call('GET', `${path}/${id}`)).body.data).toEqual(body.data);
    const changed = await call('PATCH', `${path}/${id}`, { color: 'blue' });
    expect(changed.body.data).toEqual({ ...body.data, color: 'blue' });
    const found = await call('GET', `${path}?${nameKey}=${name.slice(3)}`);
    expect(found.body.data.results).toEqual([changed.body.data]);
    const all = await call('GET', `${path}/all`);
    expect(all.body.data).toContainEqual({ [idKey]: id, [nameKey]: name, color: 'blue' });
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
    expect((await create(name)).status).toBe(201);
  });

  test('has a name that no other has, in any case', async () => {
    const name = `Novo ${newId()}`;
    const [{ body }, second] = [await create(name), await create(newId())];
    expect(outcome(await create(` ${name.toUpperCase()} `))).toEqual([409, 'conflict']);
    const renamed = await call('PATCH', `${path}/${second.body.data[idKey]}`, { [nameKey]: name });
    expect(outcome(renamed)).toEqual([409, 'conflict']);
    expect(outcome(await create('x'.repeat(101)))[0]).toBe(422);
    expect(body.data[idKey]).not.toBe(second.body.data[idKey]);
  });

  test('has a name that no other has, of characters of any length', async () => {
    // MongoDB cuts this name within a character when it reports the duplicate.
    for (const name of [`${newId()}${'😀'.repeat(60)}`, `x${newId()}${'é'.repeat(60)}`]) {
      const [, second] = [await create(name), await create(newId())];
      expect(outcome(await create(name))).toEqual([409, 'conflict']);
      const id: string = second.body.data[idKey];
      const renamed = await call('PATCH', `${path}/${id}`, { [nameKey]: name });
      expect(outcome(renamed)).toEqual([409, 'conflict']);
    }
  });

  test('is the one that a mapping names, and is not deleted while an open chat uses it', async () => {
    const name = `Mapped ${newId()}`;
    const { body } = await create(name);
    const id: string = body.data[idKey];
    const named = nameKey === 'label' ? { label: name } : { sector: name };
    const eventId = await api.send(webhook, { id: newId(), lead: { id: newId() }, ...named });
    await api.processEvents([eventId]);
    const event = await api.ask('GET', `/v1/admin/events/${eventId}`);
    const { chatId } = event.body.data.effects;
    expect(outcome(await call('DELETE', `${path}/${id}`))).toEqual([409, 'in_use']);
    await call('PATCH', `/chat/${chatId}/status`, { status: 'closed' });
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(200);
    const closed = await call('GET', '/chat?status=closed&per_page=200');
    const chat = closed.body.data.results.find(
      (one: { chat_id: string }) => one.chat_id === chatId,
    );
    expect(nameKey === 'label' ? chat.labels[0].label : chat.sector.name).toBe(name);
  });
});

test('a sector that was deleted after its chats were moved does not come back', async () => {
  const name = `Moved ${newId()}`;
  const add = (each: string) => call('POST', '/sector', { name: each, color: 'red' });
  const [{ body: old }, { body: other }] = [await add(name), await add(newId())];
  const eventId = await api.send(webhook, { id: newId(), lead: { id: newId() }, sector: name });
  await api.processEvents([eventId]);
  const { chatId } = (await api.ask('GET', `/v1/admin/events/${eventId}`)).body.data.effects;
  const to = { sector_id: other.data.sector_id };
  expect((await call('POST', `/chat/${chatId}/transfer`, to)).status).toBe(200);
  expect((await call('DELETE', `/sector/${old.data.sector_id}`)).status).toBe(200);
  const deletedAt = new Date(Date.now() - 600_000);
  await api.connection.collection('sectors').updateOne({ name }, { $set: { deletedAt } });
  expect(await api.stores.sectors.replaceDeleted()).toBe(0);
});

test('a disabled sector is not offered and not a destination; its agents are listed by sector', async () => {
  const sector = (await call('POST', '/sector', { name: newId(), color: 'red' })).body.data;
  const id: string = sector.sector_id;
  expect(sector).toMatchObject({ account: null, sector_status: { sector_status_id: 'active' } });
  const agent = await api.ask('POST', '/v1/admin/agents', {
    body: { name: 'Bia', lastName: 'Lima', email: 'bia@example.com', sectorIds: [id] },
  });
  const user = { user_id: agent.body.data.id, name: 'Bia', last_name: 'Lima' };
  expect((await call('GET', `/sector/${id}/users`)).body.data).toEqual([user]);
  expect((await call('GET', `/chat/transfer/sectors/${id}/users`)).body.data).toEqual([user]);
  expect((await call('GET', '/user?search=LIM')).body.data.results).toEqual([
    { ...user, email: 'bia@example.com', status: 'active', sector_ids: [id] },
  ]);
  expect(outcome(await call('DELETE', `/sector/${id}`))).toEqual([409, 'in_use']);
  await call('PATCH', `/sector/${id}`, { sector_status_id: 'disabled' });
  const offered = await call('GET', '/chat/sectors');
  expect(offered.body.data.map((one: { sector_id: string }) => one.sector_id)).not.toContain(id);
  const unknown = { body: { name: 'Caio', sectorIds: [newId()] } };
  expect(outcome(await api.ask('POST', '/v1/admin/agents', unknown))).toEqual([
    422,
    'invalid_field',
  ]);
});

test('no channel and no chat needs an official template', async () => {
  const { body } = await call('GET', '/chat/official-opening/context');
  expect(body.data).toEqual({
    is_official: false,
    requires_template: false,
    official_window: null,
    templates: [],
  });
});

test('an agent gets no sector that is deleted at the same moment', async () => {
  const { agents, sectors } = api.stores;
  const actor = { tokenId: 'test', name: 'test' };
  const lateSectors = {
    ...sectors,
    getMany: async (ids: readonly string[]) => {
      const found = await sectors.getMany(ids);
      for (const id of ids) await sectors.remove(id, actor);
      return found;
    },
  };
  const racing = { ...api.context, sectors: lateSectors };
  const aSector = async (name: string): Promise<string> => {
    const made = await sectors.create({ name, color: '#123456', status: 'active' }, actor);
    return made.ok ? made.value._id : '';
  };
  const rejected = { code: 'invalid_field', details: { fields: [{ path: '/sectorIds' }] } };
  const first = { name: 'Bia', sectorIds: [await aSector('Gone first')] };
  await expect(createAgent(racing, first, actor)).rejects.toMatchObject(rejected);
  const { _id } = await createAgent(racing, { name: 'Bia' }, actor);
  const second = { sectorIds: [await aSector('Gone second')] };
  await expect(changeAgent(racing, { id: _id, ...second }, actor)).rejects.toMatchObject(rejected);
  expect(await agents.get(_id)).toMatchObject({ sectorIds: [] });
});
