// Conversations with people outside, in the console: answers by mail join the chat that the agent sees, and a message by WhatsApp is
// shown as far as WhatsApp says that it came.
import type { Locator } from 'playwright-core';
import { producers } from '../../../../src/producers/registry.ts';
import type { Visit } from '../../../support/console/console.ts';
import { setUp, takeUrl } from '../../../support/console/setup-steps.ts';
import {
  mailSecret,
  requestOf,
  type ReceivedMail,
} from '../../../support/destinations/mail-services.ts';
import {
  accessToken,
  appSecret,
  changeOf,
  notificationOf,
  phoneNumberId,
  startWhatsappCloud,
  statusOf,
  type WhatsappCloud,
} from '../../../support/destinations/whatsapp-cloud.ts';
import { waitForValue } from '../../../support/processes/client.ts';
import { startMailServer, type MailServer } from '../../../support/services/mail-server.ts';
import { inlet } from '../../../support/console/shared-console.ts';

let mail: MailServer;
let cloud: WhatsappCloud;
beforeAll(async () => {
  [mail, cloud] = await Promise.all([startMailServer(), startWhatsappCloud()]);
  await inlet.post('/v1/admin/agents', { name: 'Lia', lastName: 'Rocha' });
});
afterAll(async () => {
  await Promise.all([mail.close(), cloud.close()]);
});

const chatWith = ({ find, textOf }: Visit, name: string): Locator =>
  find('region', textOf('inbox.chatWith', { name }));

/** A message of the chat. */
const bubbleOf = (visit: Visit, name: string, text: string): Locator =>
  chatWith(visit, name).getByRole('listitem').filter({ hasText: text });

/** An agent opens the chat and answers. */
async function answerIn(visit: Visit, name: string, text: string): Promise<void> {
  const { page, textOf, choose, type, key } = visit;
  await page.getByRole('row', { name }).click();
  await chatWith(visit, name).waitFor();
  await choose(textOf('inbox.agent'), 'Lia Rocha');
  await type(textOf('inbox.write'), text, chatWith(visit, name));
  await key('Enter');
}

const from = 'desk@example.org';
const replyTo = 'answers@inbound.example.org';

async function createMailChannel(visit: Visit, name: string): Promise<void> {
  const { textOf, pressButton, waitFor, type, choose } = visit;
  const labelOf = (setting: string) => textOf(`channels.setting.${setting}`);
  await pressButton(textOf('channels.new'));
  const dialog = await waitFor('dialog', textOf('channels.new'));
  await type(textOf('channels.name'), name, dialog);
  await choose(textOf('channels.kind'), textOf('channels.kind.smtp'), dialog);
  await type(labelOf('host'), '127.0.0.1', dialog);
  await type(labelOf('port'), String(mail.port), dialog);
  await type(labelOf('from'), from, dialog);
  await type(textOf('channels.optional', { name: labelOf('replyTo') }), replyTo, dialog);
  await choose(labelOf('security'), textOf('channels.setting.security.none'), dialog);
  await pressButton(textOf('channels.create'), dialog);
  await dialog.waitFor({ state: 'detached' });
}

/** Posts a mail like the service, signed. Returns the status. */
async function postMail(url: string, received: ReceivedMail): Promise<number> {
  const { headers, body } = requestOf('mailgun', { to: replyTo, ...received });
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

async function requireSignature(visit: Visit, webhookId: string): Promise<void> {
  const { textOf, open, key, page, type, pressButton, sawToast } = visit;
  await open(`/webhooks/${webhookId}/settings`);
  await page.getByRole('checkbox', { name: textOf('settings.signature.check') }).focus();
  await key('Space');
  visit.keepSecret(mailSecret);
  await type(textOf('settings.secret', { number: 1 }), mailSecret);
  await pressButton(textOf('settings.saveOne', { title: textOf('settings.signature') }));
  await sawToast(textOf('settings.saved'));
}

test('a person sets up mail with answers, and an answer appears in the open chat', async () => {
  const person = 'Ana Exemplo';
  await inlet.visit({ path: '/channels' }, async (visit) => {
    const { page, textOf, choose, follow, press, find, open } = visit;
    await createMailChannel(visit, 'Mail desk');
    await open('/webhooks/new');
    await choose(textOf('setup.channel'), 'Mail desk');
    const producer = find('combobox', textOf('setup.producer'));
    await producer.focus();
    // Services of mail come first.
    await page
      .getByRole('option')
      .first()
      .filter({ hasText: /^(Postmark|SendGrid|Mailgun|Cloudflare)/ })
      .waitFor();
    await producer.fill('Mailgun');
    await press(page.getByRole('option', { name: /^Mailgun/ }));
    let url = '';
    const send = async () => {
      url = await takeUrl(visit);
      expect(await postMail(url, { messageId: '<sample@example.com>' })).toBe(200);
    };
    await setUp(visit, { name: 'Answers', person, send });
    const [webhook] = (await inlet.list('/v1/admin/webhooks')).results;
    await requireSignature(visit, webhook.id);
    const forged = requestOf('mailgun', { messageId: '<forged@example.com>' });
    const unsigned = forged.body.replace(/signature=[\da-f]+/, 'signature=00');
    expect((await fetch(url, { method: 'POST', ...forged, body: unsigned })).status).toBe(401);
    await waitForValue('the rejection is kept', async () =>
      (await inlet.list(`/v1/admin/webhooks/${webhook.id}/rejections`)).pagings.total === 1
        ? true
        : undefined,
    );
    await open(`/webhooks/${webhook.id}/rejections`);
    await page
      .getByRole('status')
      .filter({ hasText: textOf('rejections.unproven') })
      .waitFor();

    await follow(textOf('shell.inbox'));
    const first = { text: 'Quanto custa?', messageId: '<1.story@example.com>' };
    expect(await postMail(url, first)).toBe(200);
    await answerIn(visit, person, 'Custa dez.');
    const sent = await waitForValue('the mail', () =>
      mail.mails.find(({ source }) => source.includes('Custa dez.')),
    );
    expect(sent.to).toEqual(['ana@example.com']);
    const [, ownId = ''] = /^Message-ID: (<[^>]+>)/im.exec(sent.source) ?? [];

    const headers = [['In-Reply-To', ownId]] as const;
    const reply = { text: 'Fechado!', subject: 'Re: Preço', messageId: '<2.story@example.com>' };
    expect(await postMail(url, { ...reply, headers })).toBe(200);
    // The page shows it by itself.
    await bubbleOf(visit, person, 'Fechado!').waitFor();
    await bubbleOf(visit, person, 'Quanto custa?').waitFor();
    expect(
      (await inlet.list(`/v1/chat?status=my_chats&filter_worker_id=${webhook.channelId}`)).pagings
        .total,
    ).toBe(1);
  });
});

test('a message by WhatsApp is shown as accepted until a status says that it was delivered', async () => {
  const { id: channelId } = await inlet.post('/v1/admin/channels', {
    name: 'WhatsApp',
    kind: 'whatsapp',
    settings: { phoneNumberId, accessToken, apiUrl: cloud.apiUrl },
  });
  const hook = await inlet.post('/v1/admin/webhooks', {
    name: 'From WhatsApp',
    channelId,
    producerProfile: 'whatsapp',
  });
  await inlet.client.call('updateWebhookSettings', {
    params: { id: hook.id },
    body: { signature: { secrets: [appSecret] } },
  });
  const [phone, person] = ['5511960000077', 'Davi Nunes'];
  const receive = async (change: Parameters<typeof changeOf>[0]) =>
    expect(
      (await fetch(hook.url, { method: 'POST', ...notificationOf([changeOf(change)]) })).status,
    ).toBe(200);
  const written = (text: string) => ({
    messages: [
      {
        from: phone,
        id: `wamid.${text}`,
        timestamp: String(Math.floor(Date.now() / 1_000)),
        type: 'text',
        text: { body: text },
      },
    ],
    contacts: [{ wa_id: phone, profile: { name: person } }],
  });
  await receive(written('sample'));
  await inlet.client.activate(hook.id, producers.whatsapp.starterMapping);
  cloud.replyFrom(phone);
  await receive(written('Olá'));
  await inlet.visit({ path: '/inbox', language: 'pt-BR' }, async (visit) => {
    const text = 'Custa dez.';
    await answerIn(visit, person, text);
    const says = (state: string) =>
      bubbleOf(visit, person, text)
        .filter({ hasText: visit.textOf(`delivery.${state}`) })
        .waitFor();
    await says('accepted');
    const sent = await waitForValue('the message', () =>
      cloud.sent.find(({ body }) => JSON.stringify(body).includes(text)),
    );
    await receive({ statuses: [statusOf(sent, 'read')] });
    await says('read');
  });
});
