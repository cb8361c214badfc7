// The telegram channel against a stand-in of the Bot API: what is sent, and the outcome of each answer.
import { channelKinds, createDeliverers } from '../../../src/channels/registry.ts';
import { knownErrors } from '../../../src/channels/telegram/api-errors.ts';
import type { DeliveryOutcome } from '../../../src/domain/messages/delivery.ts';
import { outgoingMessage as message } from '../../support/fixtures/outgoing-message.ts';
import { loopbackRange } from '../../support/services/destination.ts';
import {
  botToken,
  startTelegramBot,
  type TelegramBot,
} from '../../support/destinations/telegram-bot.ts';

let bot: TelegramBot;
beforeEach(async () => {
  bot = await startTelegramBot();
  bot.messageFrom('987650270');
});
afterEach(() => bot.close());

const options = { allowedDestinations: loopbackRange, now: () => new Date('2026-01-06T12:00:00Z') };

type Given = { readonly settings?: object; readonly message?: object; readonly withinMs?: number };

async function deliver(given: Given = {}): Promise<DeliveryOutcome> {
  const settings = { botToken, apiUrl: bot.apiUrl, ...given.settings };
  const terms = { timeoutMs: given.withinMs ?? 60_000 };
  const outcome = await createDeliverers(options).telegram?.(
    { ...message, ...given.message },
    settings,
    terms,
  );
  if (!outcome) throw new Error('There is no such kind.');
  return outcome;
}

const final = (detail: string | number) => ({
  kind: 'dead',
  reason: `destination_rejected:${detail}`,
  scope: 'message',
});

test('a message is sent as plain text to the chat that its contact wrote from', async () => {
  expect(await deliver()).toEqual({ kind: 'delivered', externalId: '987650270:1' });
  expect(bot.sent).toEqual([{ chatId: '987650270', messageId: 1, text: 'olá' }]);
});

const { contact } = message;
test.each<[string, object, string]>([
  ['a contact that never wrote', { contact: { ...contact, fields: {} } }, 'no_chat'],
  ['what is no chat', { contact: { ...contact, fields: { telegramChatId: '@ana' } } }, 'no_chat'],
  ['a test without a chat', { contact: null, test: true }, 'no_test_chat'],
  ['an empty text', { content: { type: 'text', text: ' \n' } }, 'no_text'],
  ['a long text', { content: { type: 'text', text: 'é'.repeat(4_097) } }, 'text_too_long'],
  ['a file', { content: { type: 'image', text: 'x', files: [{ id: 'f' }] } }, 'no_media'],
])('%s is final, and nothing is sent', async (_what, changed, reason) => {
  expect(await deliver({ message: changed })).toEqual(final(reason));
  expect(bot.sent).toEqual([]);
});

test('a text of 4,096 characters outside of the basic plane is sent', async () => {
  const content = { type: 'text', text: '😀'.repeat(4_096) };
  expect(await deliver({ message: { content } })).toMatchObject({ kind: 'delivered' });
});

test('a test goes to the chat of the settings', async () => {
  bot.messageFrom('-1001');
  const test = { message: { contact: null, test: true }, settings: { testChatId: '-1001' } };
  expect(await deliver(test)).toMatchObject({ kind: 'delivered' });
  expect(bot.sent[0]?.chatId).toBe('-1001');
});

test('a chat that the bot does not know is final', async () => {
  const fields = { telegramChatId: '1' };
  expect(await deliver({ message: { contact: { ...contact, fields } } })).toEqual(
    final('chat_not_found'),
  );
});

test.each(knownErrors)('$status $says is final, and names $detail', async (error) => {
  const { status, says, detail } = error;
  bot.behave({ status, description: `Error: ${says.toUpperCase()} 987650270` });
  expect(await deliver()).toEqual(final(detail));
});

test.each<[number, object]>([
  [400, final(400)],
  [403, final(403)],
  [413, final(413)],
  [401, { kind: 'retry', scope: 'channel', reason: 'destination_unavailable:401' }],
  [404, { kind: 'retry', scope: 'channel' }],
  [302, { kind: 'retry', scope: 'channel' }],
  [500, { kind: 'retry', scope: 'channel' }],
  [503, { kind: 'retry', scope: 'channel' }],
  [429, { kind: 'retry', scope: 'rate' }],
])('an answer of %i without a known description is treated by its status', async (status, as) => {
  bot.behave({ status });
  const outcome = await deliver();
  expect(outcome).toMatchObject(as);
  if (outcome.kind === 'retry') expect(outcome).toMatchObject({ isUnknown: false });
});

test.each([502, 504])(
  'an answer of %i leaves open whether the message was accepted',
  async (status) => {
    bot.behave({ status, description: 'Bad Gateway' });
    expect(await deliver()).toMatchObject({ kind: 'retry', scope: 'channel', isUnknown: true });
  },
);

test('after 429 the channel waits for as long as the answer says', async () => {
  bot.behave({ status: 429, retryAfter: 35, description: 'Too Many Requests: retry after 35' });
  expect(await deliver()).toMatchObject({ scope: 'rate', retryAfterMs: 35_000 });
  bot.behave({ status: 429, retryAfter: 1e9, headers: { 'retry-after': '7' } });
  expect(await deliver()).toMatchObject({ scope: 'rate', retryAfterMs: 7_000 });
});

test('an accepted message without a readable answer is delivered, without an id', async () => {
  bot.behave({ status: 200, body: 'not JSON' });
  expect(await deliver()).toEqual({ kind: 'delivered' });
});

test('a wrong token is about the channel, in a message and in a probe', async () => {
  const probe = channelKinds.telegram.outbound?.createProbe(options);
  const wrong = { botToken: '1:wrong', apiUrl: bot.apiUrl };
  const about = { kind: 'retry', reason: 'destination_unavailable:401', scope: 'channel' };
  expect(await deliver({ settings: wrong })).toMatchObject(about);
  expect(await probe?.(wrong, { timeoutMs: 60_000 })).toMatchObject(about);
  const right = { botToken, apiUrl: bot.apiUrl };
  expect(await probe?.(right, { timeoutMs: 60_000 })).toEqual({ kind: 'delivered' });
  expect(bot.sent).toEqual([]);
});
