// Conversations by WhatsApp with a stand-in of the Cloud API: the handshake, signed requests, replies
// that join chats, and statuses that settle deliveries.
import { leadMapping } from '../../support/context/test-context.ts';
import { waitForValue } from '../../support/processes/client.ts';
import type { Any } from '../../support/processes/scenario.ts';
import { scenario } from './shared-scenario.ts';
import {
  accessToken,
  appSecret,
  changeOf,
  notificationOf,
  phoneNumberId,
  startWhatsappCloud,
  statusOf,
  type SentMessage,
  type SentStatus,
  type WhatsappCloud,
} from '../../support/destinations/whatsapp-cloud.ts';

type Json = Readonly<Record<string, unknown>>;
const verifyToken = 'the-word-of-the-test';

let cloud: WhatsappCloud;
let channelId: string;
/** Receives what WhatsApp posts. */
let hook: { readonly id: string; readonly url: string };
/** Of another sender, in the same channel. */
let form: { readonly id: string; readonly url: string };

describe('conversations by WhatsApp', () => {
  beforeAll(async () => {
    cloud = await startWhatsappCloud();
    const settings = { phoneNumberId, accessToken, apiUrl: cloud.apiUrl };
    const body = { name: 'WhatsApp', kind: 'whatsapp', settings };
    channelId = (await scenario.post('/v1/admin/channels', body)).id;
    const { producers } = await scenario.get('/v1/admin/producers');
    const { starterMapping } = producers.find(({ name }: Any) => name === 'whatsapp');
    hook = await addWebhook('From WhatsApp', starterMapping, {
      producerProfile: 'whatsapp',
      handshake: { verifyToken },
      signature: { secrets: [appSecret] },
    });
    form = await addWebhook('Form', leadMapping, {});
  });
  afterAll(() => cloud.close());

  async function addWebhook(name: string, mapping: object, settings: object) {
    const made = await scenario.post('/v1/admin/webhooks', { name, channelId });
    const path = `/v1/admin/webhooks/${made.id}`;
    await scenario.patch(`${path}/settings`, settings);
    await receive([changeOf({ messages: [written('sample')] })], made.url);
    const { version } = await scenario.post(`${path}/mappings`, { mapping });
    await scenario.post(`${path}/mappings/${version}/activate`);
    return made as { readonly id: string; readonly url: string };
  }

  /** Posts like WhatsApp. Returns the status. */
  async function receive(changes: readonly Json[], url = hook.url, secret = appSecret) {
    const response = await fetch(url, { method: 'POST', ...notificationOf(changes, secret) });
    return response.status;
  }

  let count = 0;
  const newPhone = () => `55119${String((count += 1)).padStart(8, '0')}`;
  const newId = () => `wamid.test-${(count += 1)}`;

  const written = (text: string, over: Json = {}): Json => ({
    from: newPhone(),
    id: newId(),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    type: 'text',
    text: { body: text },
    ...over,
  });

  /** The person writes, for WhatsApp and for Inlet. */
  async function write(...messages: readonly Json[]): Promise<void> {
    for (const { from } of messages) cloud.replyFrom(String(from));
    const contacts = messages.map(({ from }) => ({
      wa_id: from,
      profile: { name: `P${String(from)}` },
    }));
    expect(await receive([changeOf({ messages, contacts })])).toBe(200);
  }

  const report = (message: Parameters<typeof statusOf>[0], ...given: readonly SentStatus[]) =>
    receive([changeOf({ statuses: given.map((status) => statusOf(message, status)) })]);

  const contactOf = async (phone: string): Promise<Any> => {
    const national = phone.slice(2);
    const query = `phone_ddi=55&phone=${national}`;
    const { status, data } = await scenario.ask('GET', `/v1/chat/contacts/by-phone?${query}`);
    return status === 200 ? data : undefined;
  };

  const chatsOf = async (phone: string): Promise<Any[]> =>
    (await scenario.get(`/v1/chat?status=my_chats&filter_phone=${phone}`)).results;

  const chatOf = (phone: string): Promise<Any> =>
    waitForValue(`a chat of ${phone}`, async () => (await chatsOf(phone))[0]);

  const messagesOf = async (chatId: string): Promise<Any[]> =>
    (await scenario.get(`/v1/chat/${chatId}?per_page=200`)).results;

  const hasText = (chatId: string, text: string) =>
    waitForValue(`the text ${text}`, async () =>
      (await messagesOf(chatId)).find(({ content }) => content.message === text),
    );

  const answer = async (chatId: string, text: string): Promise<string> =>
    (await scenario.post(`/v1/chat/${chatId}`, { type: 'text', message: text })).message_id;

  const deliveryIs = (id: string, state: string): Promise<Any> =>
    waitForValue(`the delivery is ${state}`, async () => {
      const { data } = await scenario.ask('GET', `/v1/admin/deliveries/${id}`);
      return data.state === state ? data : undefined;
    });

  const sentAs = (id: string): Promise<SentMessage> =>
    waitForValue('the sent message', () =>
      cloud.sent.find(({ callbackData }) => callbackData === id),
    );

  /** A person wrote, and an agent answered. */
  async function conversation() {
    const message = written('olá');
    await write(message);
    const phone = String(message.from);
    const { chat_id: chatId } = await chatOf(phone);
    const id = await answer(chatId, 'How can I help?');
    await deliveryIs(id, 'delivered');
    return { phone, chatId, id, sent: await sentAs(id) };
  }

  test('the handshake is answered with the challenge, and an unsigned request is rejected', async () => {
    const ask = (token: string) =>
      fetch(`${hook.url}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
    const right = await ask(verifyToken);
    expect([right.status, await right.text()]).toEqual([200, '1158201444']);
    expect((await ask('wrong')).status).toBe(403);
    expect(await receive([changeOf({ messages: [written('forged')] })], hook.url, 'other')).toBe(
      401,
    );
  });

  test('what a person writes joins the open chat of their phone once, is not sent out, and opens the window', async () => {
    const phone = newPhone();
    const lead = { id: newId(), text: 'From the form', lead: { id: phone, phone: `+${phone}` } };
    await scenario.lead(form.url, lead);
    const { chat_id: chatId } = await chatOf(phone);
    expect((await scenario.get(`/v1/chat/${chatId}`)).results).toHaveLength(1);
    const refused = await answer(chatId, 'Before the person wrote');
    expect(await deliveryIs(refused, 'dead')).toMatchObject({ reason: 'window_closed' });

    const message = written('Oi', { from: phone });
    await write(message);
    await write(message, written('Tudo bem?', { from: phone }));
    await hasText(chatId, 'Tudo bem?');
    const texts = (await messagesOf(chatId)).map(({ content }) => content.message);
    expect(texts).toHaveLength(4);
    expect(new Set(texts)).toEqual(
      new Set(['From the form', 'Before the person wrote', 'Oi', 'Tudo bem?']),
    );
    expect(await chatsOf(phone)).toHaveLength(1);
    expect(await contactOf(phone)).toMatchObject({ name: `P${phone}` });

    const id = await answer(chatId, 'After it');
    await deliveryIs(id, 'delivered');
    expect(await sentAs(id)).toMatchObject({ to: phone, type: 'text' });
    const received = (await messagesOf(chatId)).find(({ content }) => content.message === 'Oi');
    const delivery = `/v1/admin/deliveries/${received?.message_id}`;
    expect((await scenario.ask('GET', delivery)).status).toBe(404);
    expect(cloud.sent.filter(({ to }) => to === phone)).toHaveLength(1);
  });

  test('one request with several entries gives each person their own chat', async () => {
    const [ana, bia] = [written('Ana'), written('', { type: 'image', image: { caption: 'Bia' } })];
    expect(
      await receive([changeOf({ messages: [ana] }), changeOf({ messages: [bia], contacts: [] })]),
    ).toBe(200);
    for (const { from, text } of [
      { from: ana.from, text: 'Ana' },
      { from: bia.from, text: '[image] Bia' },
    ]) {
      const { chat_id: chatId } = await chatOf(String(from));
      expect(await messagesOf(chatId)).toMatchObject([
        { type_user: 'client', content: { message: text } },
      ]);
    }
  });

  test('statuses in any order, repeated, show how far the message came', async () => {
    const { chatId, id, sent } = await conversation();
    const summary = async () =>
      (await messagesOf(chatId)).find(({ message_id: one }) => one === id)?.summary;
    const reportedIs = (wanted: string) =>
      waitForValue(wanted, async () =>
        (await deliveryIs(id, 'delivered')).reported === wanted ? true : undefined,
      );
    const says = (wanted: object) =>
      waitForValue(JSON.stringify(wanted), async () => {
        const found = await summary();
        return JSON.stringify(found) === JSON.stringify(wanted) ? found : undefined;
      });
    await says({ is_sent: true, is_delivered: false, is_seen: false });
    expect(await deliveryIs(id, 'delivered')).toMatchObject({ reported: 'accepted' });
    await report(sent, 'sent');
    await reportedIs('sent');
    await says({ is_sent: true, is_delivered: false, is_seen: false });
    await report(sent, 'read', 'delivered', 'read', 'sent');
    await says({ is_sent: true, is_delivered: true, is_seen: true });
    expect(await deliveryIs(id, 'delivered')).toMatchObject({ attempts: 1, reported: 'read' });
  });

  test('a message whose answer was lost is held, and its status settles it without a second message', async () => {
    const { phone, chatId } = await conversation();
    cloud.behave('drop');
    const id = await answer(chatId, 'Lost');
    expect(await deliveryIs(id, 'dead')).toMatchObject({ reason: 'delivery_unknown' });
    cloud.behave(null);
    const sent = await sentAs(id);
    // The id that WhatsApp gave is in no answer; only ours names the message.
    await report({ id: sent.id, to: phone, callbackData: id }, 'delivered');
    expect(await deliveryIs(id, 'delivered')).toMatchObject({ reason: null });
    expect(cloud.sent.filter(({ callbackData }) => callbackData === id)).toHaveLength(1);
  });

  test('a failure that WhatsApp reports later makes the delivery dead with its code', async () => {
    const { id, sent } = await conversation();
    // Without our data, which an older message may lack.
    await report({ id: sent.id, to: sent.to }, 'failed');
    expect(await deliveryIs(id, 'dead')).toMatchObject({ reason: 'destination_rejected:131026' });
  });

  test('messages to another number of the app are ignored', async () => {
    const message = written('for another number');
    const change = JSON.parse(
      JSON.stringify(changeOf({ messages: [message] })).replace(phoneNumberId, '99999'),
    ) as Json;
    expect(await receive([change])).toBe(200);
    await waitForValue('it is ignored', async () => {
      const path = `/v1/admin/events?webhookId=${hook.id}&reason=other_account`;
      return (await scenario.get(path)).results[0];
    });
    expect(await chatsOf(String(message.from))).toEqual([]);
  });

  test('statuses of unknown messages and of other webhooks change nothing', async () => {
    const { id, sent } = await conversation();
    await report({ id: newId(), to: sent.to, callbackData: newId() }, 'failed');
    await receive([changeOf({ statuses: [statusOf(sent, 'failed')] })], form.url);
    await waitForValue('the status was read', async () => {
      const { results } = await scenario.get(
        `/v1/admin/events?webhookId=${hook.id}&reason=delivery_status_unmatched`,
      );
      return results[0];
    });
    expect(await deliveryIs(id, 'delivered')).toMatchObject({ reason: null });
  });
});
