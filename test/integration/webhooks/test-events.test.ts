import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { createHash } from 'node:crypto';
import { newId } from '../../../src/base/ids.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi('http_test_events');
});
afterAll(() => api.close());

const dataOf = ({ body }: Answer) => body.data;
const outside = {
  name: 'Out',
  kind: 'http',
  settings: { url: 'http://127.0.0.1:9/hook' },
} as const;

const lead = (over: object = {}) => ({
  id: 'e1',
  lead: { id: 'L1', name: 'Ana', phone: '+5511999990001' },
  text: 'Olá',
  label: 'Never made',
  sector: 'Never made',
  ...over,
});

/** Active under version 1; version 2 is a draft with another mapping. */
async function activeWebhook(channel: Parameters<typeof aChannel>[1] = {}) {
  const channelId = await aChannel(api, channel);
  const { id, key, path } = await aWebhook(api, { channelId, mapping: leadMapping });
  const ask = (method: string, under: string, given?: object) =>
    api.ask(method, `${path}/${under}`, { body: given });
  const send = async (payload: object) =>
    dataOf(await api.ask('POST', `/v1/webhook/${key}`, { token: null, body: payload }));
  const mapping = { ...leadMapping, message: { text: { const: 'New words' } } };
  await ask('POST', 'mappings', { mapping });
  /** Processes the event as a worker does, with its items. */
  async function test(given: object) {
    const made = await ask('POST', 'test-events', given);
    expect(made.status).toBe(201);
    const { eventId } = dataOf(made);
    await api.processEvents([eventId]);
    const items = api.connection.collection('events').find({ parentId: eventId });
    for (const { _id } of await items.toArray()) await api.processEvents([String(_id)]);
    return dataOf(await ask('GET', `test-events/${eventId}`));
  }
  const secret = `/v1/webhook/${key}`;
  return { id, channelId, path, secret, ask, send, test };
}

let refusing: Awaited<ReturnType<typeof activeWebhook>> | undefined;

const ofTest = async (eventId: string) => {
  const count = (name: string) => api.connection.collection(name).countDocuments({ test: eventId });
  const [contacts, chats, messages, identities] = await Promise.all(
    ['contacts', 'chats', 'messages', 'identities'].map(count),
  );
  return { contacts, chats, messages, identities };
};

describe('a test event', () => {
  test('makes a contact that cannot take another contact’s number by an edit', async () => {
    const webhook = await activeWebhook();
    const { effects } = await webhook.test({ payload: { body: lead() } });
    const path = `/v1/admin/contacts/${effects.contactId}`;
    const edited = await api.ask('PATCH', path, { body: { phone: '+5511999990077' } });
    expect([edited.status, dataOf(edited).code, dataOf(edited).state]).toEqual([
      409,
      'conflict',
      'test',
    ]);
    const found = { contactId: effects.contactId, test: { $exists: false } };
    expect(await api.connection.collection('identities').countDocuments(found)).toBe(0);
  });

  test('passes the whole pipeline under a draft, separate from the real contact and event', async () => {
    const webhook = await activeWebhook();
    const tested = await webhook.test({ payload: { body: lead() }, version: 2 });
    expect(tested).toMatchObject({ version: 2, state: 'done', externalId: 'e1', deliver: false });
    const { duplicate, eventId } = await webhook.send(lead());
    expect(duplicate).toBe(false);
    await api.processEvents([eventId]);
    const real = dataOf(await api.ask('GET', `/v1/admin/events/${eventId}`));
    expect(real).toMatchObject({ state: 'done', mappingVersion: 1, test: false });
    expect(real.effects.contactId).not.toBe(tested.effects.contactId);
    const again = await webhook.test({ eventId });
    expect(again.effects.contactId).not.toBe(tested.effects.contactId);
    expect(await webhook.send(lead())).toMatchObject({ duplicate: true, eventId });
    const messages = await api.ask('GET', `/v1/chat/${tested.effects.chatId}`);
    expect(dataOf(messages).results[0].content.message).toBe('New words');
    expect(await ofTest(tested.eventId)).toEqual({
      contacts: 1,
      chats: 1,
      messages: 1,
      identities: 2,
    });
  });

  test('is not returned as a receipt, even if its body equals that of a sender', async () => {
    const webhook = await activeWebhook();
    const body = { lead: { id: 'L1' } };
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const receipt = () =>
      api.ask('GET', `${webhook.secret}/receipts/by-body/${hash}`, { token: null });
    await webhook.test({ payload: { body } });
    expect((await receipt()).status).toBe(404);
    const { eventId } = await webhook.send(body);
    expect(dataOf(await receipt())).toMatchObject({ eventId, count: 1 });
  });

  test('is excluded from lists of chats and contacts, unless requested', async () => {
    const webhook = await activeWebhook();
    const { effects } = await webhook.test({ payload: { body: lead() } });
    const { eventId } = await webhook.send(lead());
    await api.processEvents([eventId]);
    const chats = `/v1/chat?status=my_chats&filter_worker_id=${webhook.channelId}`;
    const real = dataOf(await api.ask('GET', chats)).results;
    expect(real).toHaveLength(1);
    expect(real[0]).not.toHaveProperty('test');
    const [chat, ...others] = dataOf(await api.ask('GET', `${chats}&test=true`)).results;
    expect(chat).toMatchObject({ chat_id: effects.chatId, test: true });
    expect(others).toEqual([]);
    const idsOf = async (query: string) =>
      dataOf(await api.ask('GET', `/v1/chat/contacts?per_page=200${query}`)).results.map(
        (contact: { id: string }) => contact.id,
      );
    expect(await idsOf('')).not.toContain(effects.contactId);
    expect(await idsOf('&test=true')).toContain(effects.contactId);
  });

  test('creates no label and no sector, and uses existing ones', async () => {
    const webhook = await activeWebhook();
    const names = { label: newId(), sector: newId() };
    const unknown = await webhook.test({ payload: { body: lead(names) } });
    const labels = api.connection.collection('labels');
    expect(await labels.countDocuments({ name: names.label })).toBe(0);
    const { eventId } = await webhook.send(lead(names));
    await api.processEvents([eventId]);
    const known = await webhook.test({ eventId });
    const chats = api.connection.collection('chats');
    const read = ({ effects }: typeof known) => chats.findOne({ _id: effects.chatId });
    expect(await read(unknown)).toMatchObject({ labelIds: [], opening: { sectorId: null } });
    const label = await labels.findOne({ name: names.label });
    expect(await read(known)).toMatchObject({ labelIds: [label?._id] });
  });

  test.each([
    [false, undefined],
    [true, 'waiting'],
  ])('is delivered outside only when asked: %s', async (deliver, state) => {
    const webhook = await activeWebhook(outside);
    const { effects } = await webhook.test({ payload: { body: lead() }, deliver });
    const message = await api.connection.collection('messages').findOne({ _id: effects.messageId });
    expect(message?.['delivery']?.state).toBe(state);
  });

  test('is not compared in a diff of a candidate', async () => {
    const webhook = await activeWebhook();
    const { eventId } = await webhook.send(lead());
    await webhook.test({ payload: { body: lead({ id: 'e2' }) } });
    const mapping = { contact: { externalId: { path: 'other' } } };
    const diff = dataOf(await webhook.ask('POST', 'mappings/diff', { mapping }));
    expect(diff.items.map((item: { eventId: string }) => item.eventId)).toEqual([eventId]);
  });

  test('needs no active version, and takes a sample', async () => {
    const { path } = await aWebhook(api, { name: 'New' });
    const post = (under: string, given: object) =>
      api.ask('POST', `${path}/${under}`, { body: given });
    const sampleId = dataOf(await post('samples', { body: lead() })).id;
    const early = await post('test-events', { sampleId });
    expect([early.status, dataOf(early).missing]).toEqual([409, ['mapping']]);
    await post('mappings', { mapping: leadMapping });
    const { eventId } = dataOf(await post('test-events', { sampleId }));
    await api.processEvents([eventId]);
    const read = await api.ask('GET', `${path}/test-events/${eventId}`);
    expect(dataOf(read)).toMatchObject({ version: 1, state: 'done' });
  });

  test.each([
    [{}, '/payload'],
    [{ payload: { body: {} }, sampleId: newId() }, '/payload'],
    [{ payload: { rawBody: '{' } }, '/payload/rawBody'],
    [{ payload: { body: [] } }, '/payload'],
    [{ sampleId: newId() }, '/sampleId'],
    [{ eventId: newId() }, '/eventId'],
    [{ payload: { body: {} }, version: 3 }, '/version'],
    [{ payload: { body: {} }, version: 0 }, '/version'],
  ])('is rejected: %j', async (given, path) => {
    refusing ??= await activeWebhook();
    const answer = await refusing.ask('POST', 'test-events', given);
    expect([answer.status, dataOf(answer).fields[0].path]).toEqual([422, path]);
  });
});

describe('a deleted test event', () => {
  const nothing = { contacts: 0, chats: 0, messages: 0, identities: 0 };
  const split = { ...leadMapping, split: 'leads' };
  const body = { leads: [lead(), lead({ id: 'e2', lead: { id: 'L1', email: 'a@example.com' } })] };

  test('is deleted with everything that it and its items made, and nothing else', async () => {
    const webhook = await activeWebhook();
    await webhook.ask('POST', 'mappings', { mapping: split });
    const kept = await webhook.test({ payload: { body }, version: 3 });
    const gone = await webhook.test({ payload: { body }, version: 3 });
    expect([gone.state, gone.items]).toEqual(['done', 2]);
    const before = await ofTest(kept.eventId);
    expect(before).toEqual({ contacts: 1, chats: 1, messages: 2, identities: 3 });
    const answer = await webhook.ask('DELETE', `test-events/${gone.eventId}`);
    expect([answer.status, dataOf(answer)]).toEqual([200, {}]);
    expect(await ofTest(gone.eventId)).toEqual(nothing);
    const events = api.connection.collection('events');
    expect(await events.countDocuments({ 'test.id': gone.eventId })).toBe(0);
    expect(await ofTest(kept.eventId)).toEqual(before);
    expect((await webhook.ask('DELETE', `test-events/${gone.eventId}`)).status).toBe(404);
    const rows = await auditRows(api, { targetId: gone.eventId });
    expect(rows.map(({ action }) => action)).toEqual(['event.test', 'event.test_delete']);
  });

  test('is deleted with all test events of its webhook; real events stay', async () => {
    const webhook = await activeWebhook();
    const { eventId } = await webhook.send(lead());
    await api.processEvents([eventId]);
    const tested = [await webhook.test({ eventId }), await webhook.test({ eventId })];
    expect(dataOf(await webhook.ask('GET', 'test-events')).pagings.total).toBe(2);
    const deleted = await webhook.ask('DELETE', 'test-events');
    expect(dataOf(deleted)).toEqual({ deleted: 2, left: 0 });
    for (const one of tested) expect(await ofTest(one.eventId)).toEqual(nothing);
    const real = dataOf(await api.ask('GET', `/v1/admin/events/${eventId}`));
    expect((await api.ask('GET', `/v1/chat/${real.effects.chatId}`)).status).toBe(200);
    expect((await webhook.ask('DELETE', `test-events/${eventId}`)).status).toBe(404);
  });

  test('is deleted while a worker processes it, which leaves nothing of it', async () => {
    const webhook = await activeWebhook();
    const made = await webhook.ask('POST', 'test-events', { payload: { body: lead() } });
    const { eventId } = dataOf(made);
    const answers: number[] = [];
    const onStep = async (step: SetStep): Promise<void> => {
      if (step !== 'write' || answers.length > 0) return;
      answers.push((await webhook.ask('DELETE', `test-events/${eventId}`)).status);
    };
    await api.newProcessing({ onStep })([eventId]);
    expect(answers).toEqual([200]);
    expect(await ofTest(eventId)).toEqual(nothing);
    expect(await api.stores.events.get(eventId)).toBeNull();
    expect((await webhook.ask('DELETE', `test-events/${eventId}`)).status).toBe(404);
  });
});
