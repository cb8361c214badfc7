// A person creates a channel of each outbound kind in the console, checks its connection and sends a test message.
import { waitForValue } from '../../../../support/processes/client.ts';
import { startDestination, type Destination } from '../../../../support/services/destination.ts';
import { startMailServer, type MailServer } from '../../../../support/services/mail-server.ts';
import {
  botToken,
  startTelegramBot,
  type TelegramBot,
} from '../../../../support/destinations/telegram-bot.ts';
import {
  accessToken,
  phoneNumberId,
  startWhatsappCloud,
  type WhatsappCloud,
} from '../../../../support/destinations/whatsapp-cloud.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

let destination: Destination;
let mail: MailServer;
let cloud: WhatsappCloud;
let bot: TelegramBot;
beforeAll(async () => {
  [destination, mail, cloud, bot] = await Promise.all([
    startDestination(),
    startMailServer(),
    startWhatsappCloud(),
    startTelegramBot(),
  ]);
});
afterAll(async () => {
  await Promise.all([destination.close(), mail.close(), cloud.close(), bot.close()]);
});

type Story = {
  /** By setting name. */
  readonly required: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
  readonly chosen?: Readonly<Record<string, string>>;
  readonly secret?: string;
  /** Names the sent test message. */
  readonly sent: () => unknown;
};

const stories: Readonly<Record<string, () => Story>> = {
  http: () => ({
    required: { url: destination.url },
    sent: () => destination.posts.map(({ body }) => body.test),
  }),
  smtp: () => ({
    required: { host: '127.0.0.1', port: String(mail.port), from: 'desk@example.org' },
    optional: { replyTo: 'answers@inbound.example.org' },
    chosen: { security: 'none' },
    sent: () => mail.mails.map(({ to }) => to[0] === 'desk@example.org'),
  }),
  telegram: () => ({
    required: { botToken },
    optional: { testChatId: '987650279', apiUrl: bot.apiUrl },
    secret: botToken,
    sent: () => bot.sent.map(({ chatId }) => chatId === '987650279'),
  }),
  whatsapp: () => ({
    required: { phoneNumberId, accessToken },
    optional: { testPhone: '+5511900000009', apiUrl: cloud.apiUrl },
    secret: accessToken,
    sent: () => cloud.sent.map(({ to }) => to === '5511900000009'),
  }),
};

test.each(Object.entries(stories))(
  'a channel of kind %s is created, its connection checked, and a test message sent',
  async (kind, story) => {
    cloud.replyFrom('+5511900000009');
    bot.messageFrom('987650279');
    const { required, optional = {}, chosen = {}, secret, sent } = story();
    await inlet.visit({ path: '/channels' }, async (visit) => {
      const { page, textOf, pressButton, waitFor, type, choose } = visit;
      const labelOf = (name: string) => textOf(`channels.setting.${name}`);
      await pressButton(textOf('channels.new'));
      const dialog = await waitFor('dialog', textOf('channels.new'));
      await type(textOf('channels.name'), `By ${kind}`, dialog);
      await choose(textOf('channels.kind'), textOf(`channels.kind.${kind}`), dialog);
      for (const [name, text] of Object.entries(required)) await type(labelOf(name), text, dialog);
      for (const [name, text] of Object.entries(optional)) {
        await type(textOf('channels.optional', { name: labelOf(name) }), text, dialog);
      }
      for (const [name, choice] of Object.entries(chosen)) {
        await choose(labelOf(name), textOf(`channels.setting.${name}.${choice}`), dialog);
      }
      await pressButton(textOf('channels.create'), dialog);
      if (secret !== undefined) visit.keepSecret(secret);
      await dialog.waitFor({ state: 'detached' });
      const says = (id: string) =>
        page
          .getByRole('status')
          .filter({ hasText: textOf(id) })
          .first()
          .waitFor();
      await pressButton(textOf('channels.probe.action'));
      await says('channels.probe.works');
      await pressButton(textOf('channels.test.action'));
      await says('channels.test.delivered');
      expect(sent()).toEqual([true]);
    });
  },
);

test('a pause that a destination asked for is shown', async () => {
  const settings = { url: destination.url };
  const { id } = await inlet.post('/v1/admin/channels', { name: 'Paused', kind: 'http', settings });
  const pausedUntil = new Date(Date.now() + 1_800_000);
  await inlet.db
    .collection<{ _id: string; pausedUntil: Date; expiresAt: Date }>('channelRates')
    .insertOne({ _id: id, pausedUntil, expiresAt: pausedUntil });
  await inlet.visit({ path: `/channels/${id}` }, async ({ page, textOf }) => {
    const says = page.getByRole('paragraph').filter({ hasText: textOf('channels.health.paused') });
    const shown = await says.getByRole('time').getAttribute('datetime');
    expect(shown).toBe(pausedUntil.toISOString());
  });
});

test('a wrong token is explained, and corrected in the same form', async () => {
  const settings = { phoneNumberId, accessToken: 'EAAG-expired', apiUrl: cloud.apiUrl };
  const { id } = await inlet.post('/v1/admin/channels', {
    name: 'Expired',
    kind: 'whatsapp',
    settings,
  });
  await inlet.visit({ path: `/channels/${id}` }, async (visit) => {
    const { page, textOf, pressButton, type } = visit;
    const says = (text: string) =>
      page.getByRole('status').filter({ hasText: text }).first().waitFor();
    await pressButton(textOf('channels.probe.action'));
    await says(textOf('channels.reason.destination_unavailable.190'));
    await type(textOf('channels.setting.accessToken'), accessToken);
    visit.keepSecret(accessToken);
    await pressButton(textOf('ui.save'));
    await visit.sawToast(textOf('channels.saved'));
    await pressButton(textOf('channels.probe.action'));
    await says(textOf('channels.probe.works'));
  });
});

test('a webhook is registered at Telegram, and the check says where Telegram posts', async () => {
  const settings = { botToken, apiUrl: bot.apiUrl };
  const { id: channelId } = await inlet.post('/v1/admin/channels', {
    name: 'Bot with a webhook',
    kind: 'telegram',
    settings,
  });
  const name = 'From Telegram';
  await inlet.post('/v1/admin/webhooks', { name, channelId, producerProfile: 'telegram' });
  await inlet.visit({ path: '/webhooks/new' }, async (visit) => {
    const { textOf, choose, find, open, page, pressButton } = visit;
    await choose(textOf('setup.channel'), 'Bot with a webhook');
    const producer = find('combobox', textOf('setup.producer'));
    await waitForValue('its producer is chosen', async () =>
      (await producer.inputValue()) === 'Telegram' ? true : undefined,
    );
    await open(`/channels/${channelId}`);
    const says = (text: string) =>
      page.getByRole('status').filter({ hasText: text }).first().waitFor();
    await pressButton(textOf('channels.registration.action', { name }));
    await says(textOf('channels.registration.registered'));
    await says(textOf('channels.registration.said', { said: 'Webhook was set' }));
    await pressButton(textOf('channels.probe.action'));
    await says(textOf('channels.receives.here'));
    expect(new URL(bot.calls.at(-1)?.url ?? '').origin).toBe(inlet.url);
  });
});
