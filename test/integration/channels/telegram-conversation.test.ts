// A conversation by Telegram: what a person writes to the bot, and what an agent answers.
import { newId } from '../../../src/base/ids.ts';
import { channelKinds } from '../../../src/channels/registry.ts';
import { producers } from '../../../src/producers/registry.ts';
import { startTestDelivery } from '../../support/context/delivery.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, secretKey, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { loopbackRange } from '../../support/services/destination.ts';
import {
  botToken,
  secretToken,
  startTelegramBot,
  updateOf,
  type TelegramBot,
} from '../../support/destinations/telegram-bot.ts';

let api: TestApi;
let bot: TelegramBot;
let dispatcher: ReturnType<typeof startTestDelivery>;
beforeAll(async () => {
  [api, bot] = await Promise.all([
    createTestApi('telegram_conversation', { allowedDestinations: loopbackRange }),
    startTelegramBot(),
  ]);
  dispatcher = startTestDelivery(api, { secretKeys: [secretKey] });
});
beforeEach(() => api.clear());
afterAll(async () => {
  await dispatcher.close();
  await Promise.all([api.close(), bot.close()]);
});

async function data(method: string, path: string, body?: object): Promise<Answer['body']['data']> {
  const answer = await api.ask(method, path, body && { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

async function addChannel(settings: object = {}): Promise<string> {
  const body = {
    name: 'Bot',
    kind: 'telegram',
    settings: { botToken, apiUrl: bot.apiUrl, ...settings },
  };
  return (await data('POST', '/v1/admin/channels', body)).id;
}

type Hook = { readonly id: string; readonly url: string };

/** A webhook of the channel with the producer and its starter mapping. */
async function addHook(channelId: string): Promise<Hook> {
  const hook = await data('POST', '/v1/admin/webhooks', {
    name: 'Bot',
    channelId,
    producerProfile: 'telegram',
  });
  const path = `/v1/admin/webhooks/${hook.id}`;
  await data('PATCH', `${path}/settings`, { signature: { secrets: [secretToken] } });
  await post(hook, updateOf(1));
  const { starterMapping: mapping } = producers.telegram;
  await data('POST', `${path}/mappings`, { mapping });
  await data('POST', `${path}/activate`);
  return hook;
}

const post = ({ url }: Hook, update: object, token: string = secretToken): Promise<Answer> =>
  api.ask('POST', new URL(url).pathname, {
    token: null,
    headers: { 'x-telegram-bot-api-secret-token': token },
    body: update,
  });

/** Posts an update and processes what it recorded. */
async function receive(hook: Hook, update: object): Promise<void> {
  expect((await post(hook, update)).status).toBeLessThan(300);
  const events = await api.connection
    .collection('events')
    .find({ state: 'received' }, { projection: { _id: 1 } })
    .toArray();
  await api.processEvents(events.map(({ _id }) => String(_id)));
}

const events = () => api.connection.collection('events').find({}).sort({ _id: 1 }).toArray();
const messages = () =>
  api.connection.collection('messages').find({}).sort({ date: 1, _id: 1 }).toArray();

async function answer(text: string, chatId: string) {
  return data('POST', `/v1/chat/${chatId}`, { type: 'text', message: text });
}

test('what a person writes joins the open chat once, and is not sent back', async () => {
  const hook = await addHook(await addChannel({ eventMessages: 'send' }));
  await api.clear();
  const first = updateOf(987650270, { text: 'Olá' });
  await receive(hook, first);
  await receive(hook, first);
  await receive(hook, updateOf(987650270, { photo: [{ file_id: 'x' }] }));
  await receive(hook, updateOf(987650270, { photo: [{ file_id: 'x' }], caption: 'a foto' }));
  const found = await messages();
  expect(found.map(({ content }) => content.message)).toEqual(['Olá', '[photo]', '[photo] a foto']);
  expect(new Set(found.map(({ chatId }) => chatId)).size).toBe(1);
  expect(found.filter(({ delivery }) => delivery !== undefined)).toEqual([]);
  const [contact] = (await api.snapshot()).contacts;
  expect(contact).toMatchObject({
    registers: { name: 'Ana Exemplo', externalId: '987650270' },
    fields: { telegramChatId: '987650270' },
  });
});

test('an answer of an agent goes to the chat of the person, once, and another person gets none', async () => {
  const hook = await addHook(await addChannel());
  await api.clear();
  for (const chat of [987650271, 987650272]) {
    bot.messageFrom(String(chat));
    await receive(hook, updateOf(chat, { text: `de ${chat}` }));
  }
  const [first] = await messages();
  await answer('Custa dez.', String(first?.chatId));
  await waitForValue('the answer', () => bot.sent.find(({ text }) => text === 'Custa dez.'));
  const sent = bot.sent.filter(({ text }) => text === 'Custa dez.');
  expect(sent).toMatchObject([{ chatId: '987650271' }]);
  await waitForValue('its record', async () =>
    (await messages()).find(({ delivery }) => delivery?.state === 'delivered'),
  );
});

test('a person is the same in another webhook of the channel', async () => {
  const channelId = await addChannel();
  const hooks = [await addHook(channelId), await addHook(channelId)];
  await api.clear();
  for (const hook of hooks) await receive(hook, updateOf(987650273, { text: newId() }));
  const { contacts } = await api.snapshot();
  expect(contacts.map(({ chats }) => chats.length)).toEqual([1]);
  expect(await messages()).toHaveLength(2);
});

test('another id of the person does not change where the answer goes', async () => {
  const channelId = await addChannel();
  const hook = await addHook(channelId);
  await api.clear();
  bot.messageFrom('987650274');
  const card = { phone_number: '5511900000274', first_name: 'Ana', user_id: 987650274 };
  await receive(hook, updateOf(987650274, { contact: card }));
  const form = await api.addWebhook(undefined, channelId);
  const lead = { id: '35100001', name: 'Ana', phone: '+5511900000274' };
  await api.processEvents([await api.send(form, { id: newId(), text: 'do formulário', lead })]);
  expect((await api.snapshot()).contacts).toHaveLength(1);
  const [first] = await messages();
  await answer('Para você.', String(first?.chatId));
  const sent = await waitForValue('the answer', () =>
    bot.sent.find(({ text }) => text === 'Para você.'),
  );
  expect(sent.chatId).toBe('987650274');
});

test('a message is taken while the channel is disabled', async () => {
  const channelId = await addChannel();
  const hook = await addHook(channelId);
  await api.clear();
  await data('PATCH', `/v1/admin/channels/${channelId}`, { enabled: false });
  await receive(hook, updateOf(987650275, { text: 'Alguém aí?' }));
  expect((await events()).map(({ state }) => state)).toEqual(['done']);
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['a group', { chat: { id: -1001, type: 'supergroup', title: 'Grupo' }, text: 'oi' }],
  ['a bot', { from: { id: 5, is_bot: true, first_name: 'Robô' }, text: 'oi' }],
])('what comes from %s is ignored', async (_what, message) => {
  const hook = await addHook(await addChannel());
  await api.clear();
  await receive(hook, updateOf(987650276, message));
  expect((await events()).map(({ state, reason }) => [state, reason])).toEqual([
    ['ignored', 'filter'],
  ]);
});

test('an update without the secret is refused', async () => {
  const hook = await addHook(await addChannel());
  await api.clear();
  expect((await post(hook, updateOf(1), 'another')).status).toBe(401);
  expect(await events()).toEqual([]);
});

test('the starter mapping writes where the channel sends to', () => {
  expect(channelKinds.telegram.inbound?.producers).toEqual([producers.telegram.name]);
  expect(Object.keys(producers.telegram.starterMapping.contact?.fields ?? {})).toEqual([
    'telegramChatId',
  ]);
});
