// Messages of agents, labels, joining and leaving, unread messages, search, and the agent who acts.
import { newId } from '../../../src/base/ids.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel } from '../../support/context/builders.ts';
import {
  statusAndCode,
  useConversations,
  type CallOptions,
} from '../../support/context/conversations.ts';

const { api, call, agent, label, lead, chat, texts, status } =
  useConversations('conversation_messages');
let bia: string;
let caio: string;
beforeAll(async () => {
  bia = await agent('Bia');
  caio = await agent('Caio');
});

describe('a message of an agent', () => {
  const say = (chatId: string, more: CallOptions & { message?: string; quoted?: string } = {}) =>
    call('POST', `/chat/${chatId}`, {
      ...more,
      body: {
        type: 'text',
        message: more.message ?? 'Bom dia',
        ...(more.quoted !== undefined && { message_quoted_id: more.quoted }),
      },
    });

  test('is stored with its sender and answers a message', async () => {
    const { chatId } = await lead();
    const [{ message_id: quoted }] = (await call('GET', `/chat/${chatId}`)).body.data.results;
    const { status: code, body } = await say(chatId, { as: bia, quoted });
    expect([code, body.data]).toMatchObject([
      201,
      {
        chat_id: chatId,
        type_user: 'operator',
        content: { type: 'text', message: 'Bom dia' },
        has_quoted: true,
        message_quoted_id: quoted,
        user: { user_id: bia },
        summary: { is_sent: true, is_delivered: true, is_seen: false },
      },
    ]);
    expect((await chat(chatId)).unread_count).toBe(0);
    const other = await lead();
    expect(statusAndCode(await say(other.chatId, { quoted }))).toEqual([
      422,
      'invalid_field',
      undefined,
    ]);
  });

  test('with one idempotency key is stored once; another body is rejected', async () => {
    const { chatId } = await lead();
    const key = newId();
    const answers = await Promise.all([say(chatId, { key }), say(chatId, { key })]);
    const again = await say(chatId, { key });
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
    expect(statusAndCode(await say(chatId, { key, message: 'Tchau' }))[0]).toBe(422);
    expect(await texts(chatId)).toEqual([
      ['client', 'Olá'],
      ['operator', 'Bom dia'],
    ]);
    expect(statusAndCode(await say(chatId, { key: 'x'.repeat(201) }))[0]).toBe(422);
  });

  test('is delivered to an external channel, which is told who speaks', async () => {
    const url = 'http://127.0.0.1:9/';
    const channelId = await aChannel(api(), { kind: 'http', settings: { url } });
    const { contactId } = await lead();
    const started = await call('POST', '/chat/start-with-contact', {
      body: { contact_id: contactId, worker_id: channelId },
    });
    const sent = await say(started.body.data.chat_id, { as: bia });
    expect(sent.body.data.summary).toEqual({ is_sent: false, is_delivered: false, is_seen: false });
    const delivery = await api().ask('GET', `/v1/admin/deliveries/${sent.body.data.message_id}`);
    expect(delivery.body.data).toMatchObject({ state: 'waiting', eventId: null, webhookId: null });
    await api().ask('PATCH', `/v1/admin/channels/${channelId}`, { body: { enabled: false } });
    expect(statusAndCode(await say(started.body.data.chat_id))[0]).toBe(422);
  });
});

describe('labels', () => {
  test('replace those of the chat; an event does not add one again that was removed', async () => {
    const [cold] = [await label('Cold')];
    const { chatId, person } = await lead(undefined, { label: 'Warm' });
    const set = (body: unknown) => call('PATCH', `/chat/${chatId}/label`, { body });
    const disabled = await label();
    const off = { label_status: { label_status_id: 'disabled' } };
    await call('PATCH', `/label-template/${disabled}`, { body: off });
    expect(statusAndCode(await set([disabled]))[0]).toBe(422);
    expect((await set([cold])).body.data.labels).toMatchObject([{ label: 'Cold', color: 'red' }]);
    await lead(person, { label: 'Warm' });
    expect((await chat(chatId)).labels).toMatchObject([{ label: 'Cold' }]);
    await set({ label_template_ids: [] });
    await lead(person, { label: 'Other' });
    expect((await chat(chatId)).labels).toMatchObject([{ label: 'Other' }]);
    expect(statusAndCode(await set([newId()]))[0]).toBe(422);
    expect(statusAndCode(await set({ label_template_ids: 'x' }))[0]).toBe(422);
  });
});

test('a chat remembers a bounded number of labels that people removed, the newest', async () => {
  const [one, other] = [await label(), await label()];
  const { chatId } = await lead();
  const chats = collectionOf<ChatRecord>(api().connection, 'chats');
  const removedLabelIds = Array.from({ length: 1_000 }, (_, n) => `gone-${n}`);
  await chats.updateOne({ _id: chatId }, { $set: { labelIds: [one], removedLabelIds } });
  expect((await call('PATCH', `/chat/${chatId}/label`, { body: [other] })).status).toBe(200);
  const record = await chats.findOne({ _id: chatId });
  expect(record?.removedLabelIds).toHaveLength(1_000);
  expect(record?.removedLabelIds?.at(-1)).toBe(one);
});

test('a label that is chosen and deleted at the same time is either in the chat or gone', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await label();
    const { chatId } = await lead();
    const [set, deleted] = await Promise.all([
      call('PATCH', `/chat/${chatId}/label`, { body: [id] }),
      call('DELETE', `/label-template/${id}`),
    ]);
    const isIn = set.status === 200;
    expect([set.status, deleted.status]).toEqual(isIn ? [200, 409] : [422, 200]);
    expect((await chat(chatId)).labels).toHaveLength(isIn ? 1 : 0);
  }
});

test('joining and leaving: a chat that its own agent leaves goes back to the queue', async () => {
  const { chatId } = await lead();
  await status(chatId, { status: 'in_chat' }, bia);
  await call('POST', `/chat/${chatId}/join`, { as: caio });
  const mine = await call('GET', '/chat?status=my_chats&per_page=200', { as: caio });
  expect(mine.body.data.results.map((one: { chat_id: string }) => one.chat_id)).toContain(chatId);
  await call('POST', `/chat/${chatId}/leave`, { as: caio });
  const left = await call('POST', `/chat/${chatId}/leave`, { as: bia });
  expect(left.body.data).toMatchObject({ status: 'queue', user: null });
  expect(statusAndCode(await call('POST', `/chat/${chatId}/join`))).toEqual([
    422,
    'invalid_field',
    undefined,
  ]);
});

test('a message is not sent in a chat that is closed at the same time, whatever its last event is dated', async () => {
  for (let round = 0; round < 5; round += 1) {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const { chatId } = await lead(undefined, { at: tomorrow });
    const body = { type: 'text', message: 'Oi' };
    const [sent, closed] = await Promise.all([
      call('POST', `/chat/${chatId}`, { body }),
      status(chatId, { status: 'closed' }),
    ]);
    expect(closed.status).toBe(200);
    expect([201, 409]).toContain(sent.status);
    const record = await api().stores.inbox.getChat(chatId);
    const isStored = (await texts(chatId)).length === 2;
    expect(isStored).toBe(sent.status === 201);
    if (isStored) {
      const message = await api().stores.inbox.getMessage(sent.body.data.message_id);
      expect(+(message?.createdAt ?? 0)).toBeLessThanOrEqual(+(record?.closedAt ?? 0));
    }
  }
});

test('a chat that is marked as read is unread again with the next message', async () => {
  const { chatId, person } = await lead();
  const unread = async () => (await call('GET', '/chat/unread-summary')).body.data;
  const before = await unread();
  expect((await chat(chatId)).unread_count).toBe(1);
  const read = await call('POST', `/chat/${chatId}/read`);
  expect(read.body.data.unread_count).toBe(0);
  expect((await unread()).total).toBe(before.total - 1);
  const [message] = (await call('GET', `/chat/${chatId}`)).body.data.results;
  expect(message.summary.is_seen).toBe(true);
  // Its date is earlier than the time of reading.
  await lead(person, { at: '2020-01-01T00:00:00Z' });
  expect((await chat(chatId)).unread_count).toBe(1);
  expect(await unread()).toEqual(before);
});

test('messages are found by words, in one chat and in all', async () => {
  const one = await lead(undefined, { text: 'Preciso de um ORÇAMENTO hoje' });
  await lead(undefined, { text: 'um orçamento' });
  const found = async (path: string) =>
    (await call('GET', path)).body.data.results.map(
      ({ content }: { content: { message: string } }) => content.message,
    );
  const words = encodeURIComponent('hoje orçamento');
  expect(await found(`/chat/search?query=${words}`)).toEqual(['Preciso de um ORÇAMENTO hoje']);
  expect(await found(`/chat/${one.chatId}/search?query=or%C3%A7amento`)).toHaveLength(1);
  expect(await found(`/chat/${one.chatId}/search?query=.*`)).toEqual([]);
  expect((await call('GET', '/chat/search?query=%20')).status).toBe(400);
  const restriction = { webhookIds: [], channelIds: [await aChannel(api())] };
  const narrow = await api().addToken(['inbox'], { restriction });
  const own = await api().ask('GET', '/v1/chat/search?query=or%C3%A7amento', { token: narrow });
  expect(own.body.data.pagings.total).toBe(0);
});

describe('the agent who acts', () => {
  test.each([
    ['malformed', 'x', 400, 'invalid_query'],
    ['unknown', newId(), 403, 'forbidden'],
  ])('%s is rejected', async (_what, as, ...expected) => {
    const answer = await call('GET', '/chat?status=my_chats', { as });
    expect(statusAndCode(answer).slice(0, 2)).toEqual(expected);
  });

  test('that is disabled cannot act and is not listed', async () => {
    const dora = await agent('Dora');
    await api().ask('PATCH', `/v1/admin/agents/${dora}`, { body: { status: 'disabled' } });
    expect((await call('GET', '/chat?status=my_chats', { as: dora })).status).toBe(403);
    const { body } = await call('GET', '/user/all');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Bia', 'Caio']);
  });

  test('is not deleted with an open chat, and is named by closed ones afterwards', async () => {
    const eva = await agent('Eva');
    const { chatId } = await lead();
    await status(chatId, { status: 'in_chat' }, eva);
    const remove = () => api().ask('DELETE', `/v1/admin/agents/${eva}`);
    expect(statusAndCode(await remove())).toEqual([409, 'in_use', undefined]);
    await status(chatId, { status: 'closed' }, eva);
    expect((await remove()).status).toBe(200);
    expect((await chat(chatId)).user.name).toBe('Eva');
    expect((await api().ask('GET', `/v1/admin/agents/${eva}`)).status).toBe(404);
  });
});

test.each([
  'status=ura_webhook,closed',
  'status=ura_webhook&status=closed',
  'status[]=ura_webhook&status%5B%5D=closed',
])('a list parameter is written as %s', async (query) => {
  expect((await call('GET', `/chat?${query}`)).status).toBe(200);
  expect((await call('GET', `/chat?${query}&unknown=1`)).status).toBe(400);
});
