// The registration of a webhook's URL at Telegram: what the bot's service is told, and what nobody else is.
import { producers } from '../../../src/producers/registry.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
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
const answers: string[] = [];
beforeAll(async () => {
  [api, bot] = await Promise.all([
    createTestApi('telegram_registration', { allowedDestinations: loopbackRange }),
    startTelegramBot(),
  ]);
});
beforeEach(() => bot.behave(null));
afterAll(async () => {
  await Promise.all([api.close(), bot.close()]);
});

async function ask(method: string, path: string, body: object = {}): Promise<Answer> {
  const answer = await api.ask(method, path, { body });
  answers.push(answer.text);
  return answer;
}

type Hook = { readonly id: string; readonly url: string; readonly channelId: string };

async function addHook(producerProfile = 'telegram', kind = 'telegram'): Promise<Hook> {
  const settings = kind === 'telegram' ? { botToken, apiUrl: bot.apiUrl } : {};
  const channel = await api.ask('POST', '/v1/admin/channels', {
    body: { name: 'Bot', kind, settings },
  });
  const channelId: string = channel.body.data.id;
  const made = await api.ask('POST', '/v1/admin/webhooks', {
    body: { name: 'Bot', channelId, producerProfile },
  });
  const { id, url } = made.body.data;
  const { starterMapping: mapping } = producers.telegram;
  const sample = { url, channelId, id };
  await post(new URL(url).pathname, null);
  await api.ask('POST', `/v1/admin/webhooks/${id}/mappings`, { body: { mapping } });
  await api.ask('POST', `/v1/admin/webhooks/${id}/activate`, { body: {} });
  return sample;
}

const register = ({ id }: Hook) => ask('POST', `/v1/admin/webhooks/${id}/register`);
const probe = async ({ channelId }: Hook) =>
  (await ask('POST', `/v1/admin/channels/${channelId}/probe`)).body.data;
const keysOf = async ({ id }: Hook) =>
  (await api.ask('GET', `/v1/admin/webhooks/${id}/keys?sort_by=createdAt`)).body.data
    .results as readonly { id: string; revokedAt: string | null; expiresAt: string | null }[];
const patch = ({ id }: Hook, body: object) =>
  api.ask('PATCH', `/v1/admin/webhooks/${id}/settings`, { body });

const post = (path: string, secret: string | null) =>
  api.ask('POST', path, {
    token: null,
    headers: secret === null ? {} : { 'x-telegram-bot-api-secret-token': secret },
    body: updateOf(987650270, { text: 'Olá' }),
  });

/** Telegram posts to the URL that it was given last. */
function postAsTelegram() {
  const { url, secret_token: secret } = bot.calls.at(-1) ?? { url: '', secret_token: '' };
  return post(new URL(url).pathname, secret);
}

test('Telegram gets a key of its own and a secret, and posts with them', async () => {
  const hook = await addHook();
  expect(await probe(hook)).toMatchObject({
    outcome: 'works',
    receives: { state: 'nowhere', webhookId: null, pending: 0 },
  });
  const { status, body } = await register(hook);
  expect([status, body.data]).toEqual([
    200,
    { outcome: 'registered', reason: null, said: 'Webhook was set' },
  ]);
  expect((await postAsTelegram()).status).toBe(200);
  const { url } = bot.calls.at(-1) ?? { url: '' };
  expect((await post(new URL(url).pathname, null)).status).toBe(401);
  expect(await probe(hook)).toMatchObject({
    receives: { state: 'here', webhookId: hook.id, pending: 0, lastError: null },
  });
});

test('again: the secret stays, and the former key of Telegram ends with its use', async () => {
  const hook = await addHook();
  await patch(hook, { signature: { secrets: ['with blanks', secretToken] } });
  await register(hook);
  const first = new URL(bot.calls.at(-1)?.url ?? '').pathname;
  await register(hook);
  expect(bot.calls.slice(-2).map(({ secret_token: secret }) => secret)).toEqual([
    secretToken,
    secretToken,
  ]);
  expect((await post(first, secretToken)).status).toBe(401);
  expect((await postAsTelegram()).status).toBe(200);
  const keys = await keysOf(hook);
  // The key that a person was shown is as it was.
  expect(keys.map(({ revokedAt, expiresAt }) => [revokedAt !== null, expiresAt])).toEqual([
    [false, null],
    [true, null],
    [false, null],
  ]);
});

test('a secret that Telegram does not take stays beside a new one', async () => {
  const hook = await addHook();
  await patch(hook, { signature: { secrets: ['with blanks'] } });
  await register(hook);
  expect(bot.calls.at(-1)?.secret_token).toMatch(/^[\w-]{43}$/);
  expect((await postAsTelegram()).status).toBe(200);
  const { url } = bot.calls.at(-1) ?? { url: '' };
  expect((await post(new URL(url).pathname, 'with blanks')).status).toBe(200);
});

test('what Telegram refuses changes nothing, and its sentence is shown without the URL', async () => {
  const hook = await addHook();
  await register(hook);
  const { url } = bot.calls.at(-1) ?? { url: '' };
  bot.behave({ status: 400, description: `Bad Request: bad webhook: ${botToken} is not HTTPS` });
  const { status, body } = await register(hook);
  expect([status, body.data]).toEqual([
    200,
    {
      outcome: 'failed',
      reason: 'destination_rejected:400',
      said: 'Bad Request: bad webhook: … is not HTTPS',
    },
  ]);
  expect((await keysOf(hook)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(2);
  bot.behave(null);
  expect((await postAsTelegram()).status).toBe(200);
  expect(bot.calls.at(-1)?.url).toBe(url);
});

test('a lost answer keeps both keys, because Telegram may post with either', async () => {
  const hook = await addHook();
  await register(hook);
  const before = bot.calls.at(-1)?.url ?? '';
  bot.behave('drop');
  const { body } = await register(hook);
  expect(body.data).toMatchObject({ outcome: 'failed', said: null });
  bot.behave(null);
  expect((await postAsTelegram()).status).toBe(200);
  const { secret_token: secret = '' } = bot.calls.at(-1) ?? {};
  expect((await post(new URL(before).pathname, secret)).status).toBe(200);
});

test('what Telegram could not post is shown, and whose URL it has', async () => {
  const hook = await addHook();
  await register(hook);
  const url = bot.calls.at(-1)?.url ?? '';
  bot.report({
    pending_update_count: 3,
    last_error_date: 1_767_700_800,
    last_error_message: `Wrong response from the webhook ${url}: 401 Unauthorized`,
  });
  expect((await probe(hook)).receives).toEqual({
    state: 'here',
    webhookId: hook.id,
    pending: 3,
    lastErrorAt: '2026-01-06T12:00:00.000Z',
    lastError: 'Wrong response from the webhook …: 401 Unauthorized',
  });
  bot.report({ url: 'https://bots.example.com/secret-of-another' });
  expect((await probe(hook)).receives).toMatchObject({ state: 'elsewhere', webhookId: null });
});

test.each([
  ['generic', 'telegram'],
  ['telegram', 'inbox'],
])('a webhook of %s in a channel of kind %s cannot be registered', async (profile, kind) => {
  const hook = await addHook(profile, kind);
  const calls = bot.calls.length;
  expect((await register(hook)).status).toBe(409);
  expect(bot.calls).toHaveLength(calls);
  expect(await keysOf(hook)).toHaveLength(1);
});

test('the keys, the secrets and the token are in no answer, log, audit row or stored document', async () => {
  const rows = JSON.stringify(await auditRows(api, {}));
  const stored = await Promise.all(
    ['webhooks', 'keys', 'channels', 'audit'].map((name) =>
      api.connection.collection(name).find({}).toArray(),
    ),
  );
  const texts = [rows, JSON.stringify(stored), ...api.lines, ...answers];
  const secrets = bot.calls.flatMap(({ url, secret_token: secret }) => [
    url.split('/').at(-1) ?? '',
    secret,
  ]);
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of [...secrets, botToken, 'secret-of-another']) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
});
