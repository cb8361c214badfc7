import { newId } from '../../../src/base/ids.ts';
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let inbox: string;
let webhook: Webhook;

beforeAll(async () => {
  api = await createTestApi('http_inbox');
  inbox = await api.addToken(['inbox']);
  webhook = await api.addWebhook();
});
afterAll(() => api.close());
beforeEach(() => api.clear());

type Lead = Record<string, unknown>;

async function lead(over: { lead: Lead } & Lead): Promise<void> {
  const payload = { id: newId(), at: '2026-03-01T10:00:00Z', text: 'Olá', ...over };
  await api.processEvents([await api.send(webhook, payload)]);
}

const ana = { id: '1', name: 'Ana (Souza)', phone: '+5511999990001' };
const bia = { id: '2', name: 'Bia', phone: '+351912345678' };

const chats = async (query: string) =>
  (await api.ask('GET', `/v1/chat?${query}`, { token: inbox })).body.data.results as {
    chat_id: string;
    name: string;
    contact: { id: string };
    unread_count: number;
    labels: { label_template_id: string }[];
    sector: { id: string } | null;
  }[];
const names = async (query: string) => (await chats(query)).map(({ name }) => name).toSorted();
/** How many documents MongoDB reads for it. */
async function documentsRead(run: () => Promise<unknown>): Promise<number> {
  const { connection } = api;
  const profile = collectionOf<{ _id: string; docsExamined?: number }>(
    connection,
    'system.profile',
  );
  await connection.db?.command({ profile: 2 });
  await run();
  await connection.db?.command({ profile: 0 });
  const commands = await profile.find({}).toArray();
  return commands.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
}

const collection = <Record extends { _id: string }>(name: string) =>
  collectionOf<Record>(api.connection, name);

describe('a contact', () => {
  const byPhone = async (query: string, token = inbox) => {
    const path = `/v1/chat/contacts/by-phone?${query}`;
    const { status, body } = await api.ask('GET', path, { token });
    return [status, body.data.code ?? body.data.name];
  };

  test('is found by its number in any notation', async () => {
    await lead({ lead: ana });
    expect(await byPhone('phone_ddi=55&phone=11999990001')).toEqual([200, 'Ana (Souza)']);
    expect(await byPhone('phone_ddi=%2B55&phone=(11)%209999-0001')).toEqual([200, 'Ana (Souza)']);
    expect(await byPhone('phone_ddi=55&phone=11999990002')).toEqual([404, 'not_found']);
    expect(await byPhone('phone_ddi=54&phone=11999990001')).toEqual([404, 'not_found']);
    expect(await byPhone('phone_ddi=55&phone=1')).toEqual([404, 'not_found']);
  });

  test.each([
    '',
    'phone=11999990001',
    'phone_ddi=55',
    'phone_ddi=55&phone=',
    'phone_ddi=55&phone=x',
    'phone_ddi=55&phone=11999990001&name=x',
  ])('cannot be searched by "%s"', async (query) => {
    expect(await byPhone(query)).toEqual([400, 'invalid_query']);
  });

  test('of several channels is the one with the latest change, within the token’s restriction', async () => {
    const other = await api.addWebhook();
    await lead({ lead: ana });
    const renamed = { id: newId(), lead: { ...ana, name: 'Ana Lima' }, text: 'Oi' };
    await api.processEvents([await api.send(other, renamed)]);
    expect(await byPhone('phone_ddi=55&phone=11999990001')).toEqual([200, 'Ana Lima']);
    const tokenFor = (...channelIds: string[]) =>
      api.addToken(['inbox'], { restriction: { webhookIds: [], channelIds } });
    const narrow = await tokenFor(webhook.channelId);
    expect(await byPhone('phone_ddi=55&phone=11999990001', narrow)).toEqual([200, 'Ana (Souza)']);
    const nowhere = await tokenFor(newId());
    expect(await byPhone('phone_ddi=55&phone=11999990001', nowhere)).toEqual([404, 'not_found']);
  });

  test('that was merged is answered as the surviving one, and an erased one is not found', async () => {
    await lead({ lead: ana });
    await lead({ lead: bia });
    const contacts = collection<ContactRecord>('contacts');
    const all = await contacts.find({}).sort({ createdAt: 1 }).toArray();
    await contacts.updateOne({ _id: all[0]?._id }, { $set: { mergedInto: all[1]?._id ?? '' } });
    expect(await byPhone('phone_ddi=55&phone=11999990001')).toEqual([200, 'Bia']);
    await contacts.updateOne({ _id: all[1]?._id }, { $set: { erased: new Date() } } as never);
    expect(await byPhone('phone_ddi=55&phone=11999990001')).toEqual([404, 'not_found']);
  });
});

describe('chats', () => {
  beforeEach(async () => {
    await lead({ lead: ana, label: 'Hot', sector: 'Vendas', at: '2026-03-01T10:00:00Z' });
    await lead({ lead: bia, at: '2026-03-05T10:00:00Z' });
  });

  test.each([
    ['status=my_chats', ['Ana (Souza)', 'Bia']],
    ['status=queue,ura_webhook', ['Ana (Souza)', 'Bia']],
    ['status=closed', []],
    ['status=my_chats&filter_name=ana%20(S', ['Ana (Souza)']],
    ['status=my_chats&filter_name=.*', []],
    ['status=my_chats&filter_name=%C3%A0N%C3%A1', ['Ana (Souza)']],
    ['status=my_chats&filter_name=souza%20ana', ['Ana (Souza)']],
    ['status=my_chats&filter_phone=1199990001', ['Ana (Souza)']],
    ['status=my_chats&filter_phone=(11)%2099999', ['Ana (Souza)']],
    ['status=my_chats&filter_phone=351912', ['Bia']],
    ['status=my_chats&filter_date_start=2026-03-05&filter_date_end=2026-03-05', ['Bia']],
    ['status=my_chats&filter_date_end=2026-03-04', ['Ana (Souza)']],
    ['status=my_chats&filter_unread_conversations=true', ['Ana (Souza)', 'Bia']],
    ['status=my_chats&filter_user_id=7', []],
    ['status=my_chats&filter_protocol=7', []],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('are found by label, sector and channel', async () => {
    const [chat] = await chats('status=my_chats&filter_name=Ana');
    const label = chat?.labels[0]?.label_template_id;
    expect(await names(`status=my_chats&filter_label_template_id=${label}`)).toEqual([ana.name]);
    expect(await names(`status=my_chats&filter_sector_id=${chat?.sector?.id}`)).toEqual([ana.name]);
    expect(await names(`status=my_chats&filter_worker_id=${webhook.channelId}`)).toHaveLength(2);
    expect(await names(`status=my_chats&filter_worker_id=${newId()}`)).toEqual([]);
  });

  test('are sorted by latest activity first, or in reverse on request', async () => {
    const order = async (query: string) => (await chats(query)).map(({ name }) => name);
    expect(await order('status=my_chats')).toEqual(['Bia', 'Ana (Souza)']);
    expect(await order('status=my_chats&sort_by=date')).toEqual(['Ana (Souza)', 'Bia']);
  });

  test('unread messages are counted to a hundred, of the newest messages alone', async () => {
    const [chat] = await chats('status=my_chats&filter_name=Ana');
    const messages = collection<MessageRecord>('messages');
    const one = await messages.findOne({ chatId: chat?.chat_id ?? '' });
    if (!one) throw new Error('The chat has no message.');
    const more = Array.from({ length: 3_000 }, () => ({ ...one, _id: newId() }));
    await messages.insertMany(more);
    const read = await documentsRead(async () => {
      expect((await chats('status=my_chats')).map(({ unread_count: n }) => n)).toContain(100);
      await names('status=my_chats&filter_unread_conversations=true');
      await api.ask('GET', '/v1/chat/unread-summary', { token: inbox });
      await api.ask('GET', `/v1/chat/${chat?.chat_id}?per_page=10`, { token: inbox });
      await api.ask('POST', `/v1/chat/${chat?.chat_id}/read`, { token: inbox, body: {} });
    });
    expect(read).toBeLessThan(6_000);
  });

  test('are read after a reply', async () => {
    await lead({ lead: ana, at: '2026-03-02T10:00:00Z' });
    const [before] = await chats('status=my_chats&filter_name=Ana');
    expect(before?.unread_count).toBe(2);
    const messages = collection<MessageRecord>('messages');
    const [one] = await messages.find({ chatId: before?.chat_id }).toArray();
    if (!one) throw new Error('The chat has no message.');
    // Replies count from the time at which the message was stored, whatever the date of its event is.
    const date = new Date(+one.createdAt - 1);
    await messages.insertOne({ ...one, _id: newId(), typeUser: 'operator', date });
    expect((await chats('status=my_chats&filter_name=Ana'))[0]?.unread_count).toBe(2);
    await messages.updateOne({ typeUser: 'operator' }, { $set: { date: new Date() } });
    expect(await names('status=my_chats&filter_unread_conversations=true')).toEqual(['Bia']);
    const path = `/v1/chat/${before?.chat_id}`;
    const history = await api.ask('GET', path, { token: inbox });
    expect(
      history.body.data.results.map(
        (message: { type_user: string; summary: { is_seen: boolean } }) => [
          message.type_user,
          message.summary.is_seen,
        ],
      ),
    ).toEqual([
      ['client', true],
      ['client', true],
      ['operator', false],
    ]);
  });

  test('show the surviving contact of a merge', async () => {
    const [chat] = await chats('status=my_chats&filter_name=Ana');
    const [other] = await chats('status=my_chats&filter_name=Bia');
    const contacts = collection<ContactRecord>('contacts');
    await contacts.updateOne(
      { _id: chat?.contact.id },
      { $set: { mergedInto: other?.contact.id ?? '', gone: true } },
    );
    expect(await names('status=my_chats&filter_name=Bia')).toEqual(['Bia', 'Bia']);
    expect(await names('status=my_chats&filter_name=Ana')).toEqual([]);
    const read = await api.ask('GET', `/v1/chat/contacts/${chat?.contact.id}`, { token: inbox });
    expect(read.body.data.id).toBe(other?.contact.id);
    const listed = await api.ask('GET', '/v1/chat/contacts', { token: inbox });
    expect(listed.body.data.pagings.total).toBe(1);
  });

  test('without a message are not listed, but can be read', async () => {
    const [chat] = await chats('status=my_chats&filter_name=Ana');
    const id = chat?.chat_id ?? '';
    await collection('chats').updateOne({ _id: id }, { $set: { lastMessageAt: null } });
    await collection('messages').deleteMany({ chatId: id });
    expect(await names('status=my_chats')).toEqual(['Bia']);
    const history = await api.ask('GET', `/v1/chat/${id}`, { token: inbox });
    expect(history.body.data.pagings.total).toBe(0);
    expect((await api.ask('GET', `/v1/chat/${newId()}`, { token: inbox })).status).toBe(404);
  });
});
