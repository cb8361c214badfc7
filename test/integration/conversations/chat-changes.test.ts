// What people do with chats: start, take, close, transfer.
import { newId } from '../../../src/base/ids.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel } from '../../support/context/builders.ts';
import { statusAndCode, useConversations } from '../../support/context/conversations.ts';

const { api, channelId, call, agent, sector, lead, chat, texts, status } =
  useConversations('conversation_changes');
let bia: string;
let caio: string;
beforeAll(async () => {
  bia = await agent('Bia');
  caio = await agent('Caio');
});

describe('taking a chat', () => {
  test('makes the agent its user, once and for the same agent again', async () => {
    const { chatId } = await lead();
    const taken = await status(chatId, { status: 'in_chat' }, bia);
    expect([taken.status, taken.body.data]).toMatchObject([
      200,
      { status: 'in_chat', user: { user_id: bia, name: 'Bia', last_name: null } },
    ]);
    expect(statusAndCode(await status(chatId, { status: 'in_chat' }, bia))[0]).toBe(200);
    expect(statusAndCode(await status(chatId, { status: 'in_chat' }, caio))).toEqual([
      409,
      'conflict',
      'taken',
    ]);
    const { body } = await call('GET', `/chat/${chatId}/attendants`);
    expect(body.data).toEqual({
      primary_user: {
        user_id: bia,
        name: 'Bia',
        last_name: null,
        entered_at: expect.stringMatching(/^\d{4}-/),
      },
      secondary_users: [],
    });
  });

  test('by two agents at once gives it to one of them', async () => {
    const { chatId } = await lead();
    const answers = await Promise.all(
      [bia, caio].map((as) => status(chatId, { status: 'in_chat' }, as)),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const winner = answers.find((answer) => answer.status === 200)?.body.data.user.user_id;
    expect((await chat(chatId)).user.user_id).toBe(winner);
  });

  test('by the token alone leaves it without a user', async () => {
    const { chatId } = await lead();
    const { body } = await status(chatId, { status: 'in_chat' });
    expect(body.data).toMatchObject({ status: 'in_chat', user: null });
  });
});

describe('closing a chat', () => {
  test('ends it; the comment becomes a system message, and the next event opens another', async () => {
    const first = await lead();
    const closed = await status(
      first.chatId,
      { status: 'closed', closure_comment: 'Vendido' },
      bia,
    );
    expect(closed.body.data).toMatchObject({
      status: 'closed',
      closed_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(await texts(first.chatId)).toEqual([
      ['client', 'Olá'],
      ['system', 'Vendido'],
    ]);
    const next = await lead(first.person);
    expect(next.contactId).toBe(first.contactId);
    expect(next.chatId).not.toBe(first.chatId);
    expect((await chat(next.chatId)).status).toBe('ura_webhook');
  });

  test('is repeated by the same person only, and nothing opens it again', async () => {
    const { chatId } = await lead();
    await status(chatId, { status: 'closed' }, bia);
    const state = [409, 'invalid_transition', 'closed'];
    expect(statusAndCode(await status(chatId, { status: 'closed' }, bia))[0]).toBe(200);
    expect(statusAndCode(await status(chatId, { status: 'closed' }, caio))).toEqual(state);
    expect(statusAndCode(await status(chatId, { status: 'in_chat' }, bia))).toEqual(state);
    const text = { body: { type: 'text', message: 'Oi' } };
    expect(statusAndCode(await call('POST', `/chat/${chatId}`, text))).toEqual(state);
    expect(statusAndCode(await call('POST', `/chat/${chatId}/read`))).toEqual(state);
    expect(statusAndCode(await call('POST', `/chat/${chatId}/join`, { as: bia }))).toEqual(state);
    const to = { body: { user_id: caio } };
    expect(statusAndCode(await call('POST', `/chat/${chatId}/transfer`, to))).toEqual(state);
    expect(await texts(chatId)).toEqual([['client', 'Olá']]);
  });
});

describe('starting a chat with a contact', () => {
  const start = (body: object, as?: string) =>
    call('POST', '/chat/start-with-contact', { body, ...(as !== undefined && { as }) });

  test('opens one that is listed without a message, and returns it again', async () => {
    const { contactId, chatId } = await lead();
    await status(chatId, { status: 'closed' });
    const body = { contact_id: contactId, worker_id: channelId() };
    const first = await start(body, bia);
    expect([first.status, first.body.data]).toMatchObject([
      201,
      { status: 'in_chat', reused: false, user: { user_id: bia }, contact: { id: contactId } },
    ]);
    expect(await chat(first.body.data.chat_id)).toBeDefined();
    const again = await start(body);
    expect([again.status, again.body.data.reused]).toEqual([200, true]);
    expect(again.body.data.chat_id).toBe(first.body.data.chat_id);
    const queued = await lead();
    await status(queued.chatId, { status: 'closed' });
    const alone = await start({ ...body, contact_id: queued.contactId });
    expect(alone.body.data).toMatchObject({ status: 'queue', user: null });
  });

  test('names the open chat of another sector', async () => {
    const [one, two] = [await sector(), await sector()];
    const { contactId, chatId } = await lead();
    await call('POST', `/chat/${chatId}/transfer`, { body: { sector_id: one } });
    const body = { contact_id: contactId, worker_id: channelId() };
    const readContact = () =>
      api().connection.collection<{ _id: string }>('contacts').findOne({ _id: contactId });
    const contact = await readContact();
    const other = await start({ ...body, sector_id: two });
    expect([other.status, other.body.data]).toMatchObject([
      409,
      { code: 'conflict', state: 'other_sector', chat_id: chatId },
    ]);
    expect((await start({ ...body, sector_id: one })).status).toBe(200);
    expect(await readContact()).toEqual(contact);
  });

  test('in another channel uses the person’s contact there, created once', async () => {
    const there = await aChannel(api());
    const { contactId } = await lead(undefined, {});
    const body = { contact_id: contactId, worker_id: there };
    const first = await start(body);
    const sibling = first.body.data.contact.id;
    expect([first.status, sibling === contactId]).toEqual([201, false]);
    expect((await start(body)).body.data.contact.id).toBe(sibling);
    expect((await start({ ...body, contact_id: sibling })).status).toBe(200);
  });

  test.each([
    ['an unknown contact', 404, () => ({ contact_id: newId(), worker_id: channelId() })],
    ['an unknown channel', 404, (id: string) => ({ contact_id: id, worker_id: newId() })],
    [
      'an unknown sector',
      422,
      (id: string) => ({ contact_id: id, worker_id: channelId(), sector_id: newId() }),
    ],
    ['no channel', 422, (id: string) => ({ contact_id: id })],
  ])('with %s is rejected', async (_what, expected, bodyOf) => {
    const { contactId, chatId } = await lead();
    await status(chatId, { status: 'closed' });
    expect((await start(bodyOf(contactId))).status).toBe(expected);
  });
});

describe('a transfer', () => {
  const transfer = (chatId: string, body: object, as?: string) =>
    call('POST', `/chat/${chatId}/transfer`, { body, ...(as !== undefined && { as }) });

  test('to an agent puts the chat into the queue of that agent, with the annotation', async () => {
    const { chatId } = await lead();
    await status(chatId, { status: 'in_chat' }, bia);
    const body = { user_id: caio, annotation: 'Quer desconto', send_message_on_transfer: true };
    const { body: answer } = await transfer(chatId, body, bia);
    expect(answer.data).toMatchObject({ status: 'queue', user: { user_id: caio } });
    expect(await texts(chatId)).toContainEqual(['system', 'Quer desconto']);
    const attendants = await call('GET', `/chat/${chatId}/attendants`);
    expect(attendants.body.data).toMatchObject({
      primary_user: { user_id: caio, entered_at: null },
      secondary_users: [],
    });
  });

  test('to and fro between two channels remembers each former contact once', async () => {
    const there = await aChannel(api());
    const { chatId } = await lead();
    for (const worker_id of [there, channelId(), there, channelId()])
      expect((await transfer(chatId, { worker_id })).status).toBe(200);
    const chats = collectionOf<ChatRecord>(api().connection, 'chats');
    const record = await chats.findOne({ _id: chatId });
    expect(record?.formerContactIds).toHaveLength(2);
  });

  test('that keeps the executor in the chat keeps its status', async () => {
    const { chatId } = await lead();
    await status(chatId, { status: 'in_chat' }, bia);
    const { body } = await transfer(chatId, { user_id: caio, keep_in_chat: true }, bia);
    expect(body.data).toMatchObject({ status: 'in_chat', user: { user_id: caio } });
    const attendants = await call('GET', `/chat/${chatId}/attendants`);
    expect(attendants.body.data.secondary_users).toMatchObject([{ user_id: bia }]);
  });

  test('to a sector is not undone by a later event of another sector', async () => {
    const { chatId, person } = await lead(undefined, { sector: 'Vendas' });
    const support = await sector('Suporte');
    await transfer(chatId, { sector_id: support });
    const earlier = { at: '2020-01-01T00:00:00Z', sector: 'Vendas', label: 'Hot' };
    expect((await lead(person, earlier)).chatId).toBe(chatId);
    expect((await chat(chatId)).sector).toMatchObject({ id: support, name: 'Suporte' });
    const found = await call('GET', `/chat?status=my_chats&filter_sector_id=${support}`);
    expect(found.body.data.results.map((one: { chat_id: string }) => one.chat_id)).toEqual([
      chatId,
    ]);
  });

  test('to another channel moves it to the person’s contact there, unless that has an open chat', async () => {
    const there = await aChannel(api());
    const { chatId, person, contactId } = await lead();
    const moved = await transfer(chatId, { worker_id: there });
    expect(moved.body.data).toMatchObject({ chat_id: chatId, worker: { id: there } });
    expect(moved.body.data.contact.id).not.toBe(contactId);
    const next = await lead(person);
    expect(next.chatId).not.toBe(chatId);
    const blocked = await transfer(next.chatId, { worker_id: there });
    expect([blocked.status, blocked.body.data]).toMatchObject([
      409,
      { state: 'open_chat', chat_id: chatId },
    ]);
  });

  test.each([
    ['nothing', () => ({})],
    ['an unknown agent', () => ({ user_id: newId() })],
    ['an unknown sector', () => ({ sector_id: newId() })],
    ['an unknown channel', () => ({ worker_id: newId() })],
  ])('to %s is rejected', async (_what, bodyOf) => {
    const { chatId } = await lead();
    expect(statusAndCode(await transfer(chatId, bodyOf()))).toEqual([
      422,
      'invalid_field',
      undefined,
    ]);
  });

  test('and closing at once: one of them sees the other', async () => {
    const { chatId } = await lead();
    const [moved, closed] = await Promise.all([
      transfer(chatId, { user_id: caio }),
      status(chatId, { status: 'closed' }),
    ]);
    expect(closed.status).toBe(200);
    expect([200, 409]).toContain(moved.status);
    expect((await chat(chatId)).status).toBe('closed');
  });
});
