// A conversation by mail: what a person writes to an inbound address of each service, what an agent answers, and what comes back.
import { producers } from '../../../src/producers/registry.ts';
import { channelKinds } from '../../../src/channels/registry.ts';
import { startTestDelivery } from '../../support/context/delivery.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, secretKey, type TestApi } from '../../support/context/test-api.ts';
import {
  mailSecret,
  mailServices,
  requestOf,
  signs,
  type MailService,
  type ReceivedMail,
} from '../../support/destinations/mail-services.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { loopbackRange } from '../../support/services/destination.ts';
import { startMailServer, type MailServer } from '../../support/services/mail-server.ts';

let api: TestApi;
let server: MailServer;
let dispatcher: ReturnType<typeof startTestDelivery>;
beforeAll(async () => {
  [api, server] = await Promise.all([
    createTestApi('mail_conversation', { allowedDestinations: loopbackRange }),
    startMailServer(),
  ]);
  dispatcher = startTestDelivery(api, { secretKeys: [secretKey] });
});
beforeEach(() => {
  server.beforeReply((reply) => reply());
  server.rejectWith(null);
});
afterAll(async () => {
  await dispatcher.close();
  await Promise.all([api.close(), server.close()]);
});

async function data(method: string, path: string, body?: object): Promise<Answer['body']['data']> {
  const answer = await api.ask(method, path, body && { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

const from = 'desk@example.org';

async function addChannel(settings: object = {}): Promise<string> {
  const given = { host: '127.0.0.1', port: server.port, security: 'none', from, ...settings };
  const body = { name: 'Mail', kind: 'smtp', settings: given };
  return (await data('POST', '/v1/admin/channels', body)).id;
}

type Hook = { readonly id: string; readonly url: string; readonly service: MailService };

/** A webhook of the channel with the producer of a service and its starter mapping. */
async function addHook(channelId: string, service: MailService = 'postmark'): Promise<Hook> {
  const made = await data('POST', '/v1/admin/webhooks', {
    name: service,
    channelId,
    producerProfile: service,
  });
  const hook = { ...made, service };
  const path = `/v1/admin/webhooks/${hook.id}`;
  if (signs(service)) {
    await data('PATCH', `${path}/settings`, { signature: { secrets: [mailSecret] } });
  }
  await post(hook, { messageId: '<sample@example.com>' });
  await data('POST', `${path}/mappings`, { mapping: producers[service].starterMapping });
  await data('POST', `${path}/activate`);
  return hook;
}

function post({ url, service }: Hook, mail: ReceivedMail): Promise<Answer> {
  const { headers, body } = requestOf(service, mail);
  return api.ask('POST', new URL(url).pathname, { token: null, headers, raw: body });
}

/** Posts a mail and processes what it recorded. */
async function receive(hook: Hook, mail: ReceivedMail): Promise<void> {
  expect((await post(hook, mail)).status).toBe(200);
  await processOpen();
}

async function processOpen(): Promise<void> {
  const open = await api.connection
    .collection('events')
    .find({ state: 'received' }, { projection: { _id: 1 } })
    .toArray();
  await api.processEvents(open.map(({ _id }) => String(_id)));
}

const events = () => api.connection.collection('events').find({}).sort({ _id: 1 }).toArray();
const messages = () =>
  api.connection.collection('messages').find({}).sort({ createdAt: 1, _id: 1 }).toArray();
const states = async () => (await events()).map(({ state, reason }) => [state, reason]);

async function answer(text: string, chatId: unknown): Promise<string> {
  const body = { type: 'text', message: text };
  return (await data('POST', `/v1/chat/${String(chatId)}`, body)).message_id;
}

const deliveryOf = async (id: string) => (await api.stores.deliveries.get(id))?.delivery;
const settled = (id: string, state: string) =>
  waitForValue(`a delivery that is ${state}`, async () => {
    const delivery = await deliveryOf(id);
    return delivery?.state === state ? delivery : undefined;
  });

/** The mail with this text, as the server got it; headers by name in lower case. */
async function mailWith(text: string): Promise<ReadonlyMap<string, string>> {
  const { source } = await waitForValue('the mail', () =>
    server.mails.find((mail) => mail.source.includes(text)),
  );
  const [head = ''] = source.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

const answering = (id: string, references: readonly string[] = []) =>
  [
    ['In-Reply-To', id],
    ['References', [...references, id].join(' ')],
  ] as const;

test('each service has a producer of the channel kind', () => {
  expect(channelKinds.smtp.inbound?.producers.toSorted()).toEqual([...mailServices].toSorted());
});

test.each(mailServices)(
  'a conversation by %s stays in one chat and in one thread',
  async (service) => {
    const replyTo = 'answers@inbound.example.org';
    const hook = await addHook(await addChannel({ replyTo }), service);
    await api.clear();
    const first = { text: 'Quanto custa?', messageId: `<1.${service}@mail.example.com>` };
    await receive(hook, first);
    await receive(hook, first);
    const [asked] = await messages();
    const text = `Custa dez em ${service}.`;
    const messageId = await answer(text, asked?.chatId);
    const sent = await mailWith(text);
    const ownId = `<inlet.${messageId}@example.org>`;
    expect(Object.fromEntries(sent)).toMatchObject({
      from,
      to: 'Ana Exemplo <ana@example.com>',
      'reply-to': replyTo,
      'message-id': ownId,
      'in-reply-to': first.messageId,
      references: first.messageId,
      subject: expect.stringMatching(/^(?:Re: |=\?UTF-8\?.*)/),
    });
    expect(sent.has('auto-submitted')).toBe(false);
    expect(await settled(messageId, 'delivered')).toMatchObject({ externalId: ownId });

    const second = {
      text: 'Fechado!',
      subject: 'Re: Preço',
      messageId: `<2.${service}@mail.example.com>`,
      headers: answering(ownId, [first.messageId]),
      file: { name: 'pedido.pdf', contentType: 'application/pdf', content: 'x'.repeat(34_000) },
    };
    await receive(hook, second);
    await receive(hook, second);
    const found = await messages();
    expect(
      found.map(({ content, chatId, quotedId }) => [content.message, chatId, quotedId]),
    ).toEqual([
      ['Preço\n\nQuanto custa?', asked?.chatId, undefined],
      [text, asked?.chatId, undefined],
      ['Fechado!\n\n[pedido.pdf, 34 kB]', asked?.chatId, messageId],
    ]);
    const last = `Enviado em ${service}.`;
    await answer(last, asked?.chatId);
    expect((await mailWith(last)).get('references')).toBe(
      [first.messageId, ownId, second.messageId].join(' '),
    );
    // What the next answer needs is no field of the contact.
    const contact = await data('GET', `/v1/admin/contacts/${String(asked?.contactId)}`);
    expect(JSON.stringify(contact)).not.toContain(second.messageId);
  },
);

test('a mail that a worker reads just after a change of the producer is read by the new one', async () => {
  const hook = await addHook(await addChannel());
  await api.clear();
  const setProducer = (producerProfile: string) =>
    data('PATCH', `/v1/admin/webhooks/${hook.id}/settings`, { producerProfile });
  await setProducer('generic');
  await receive(hook, { messageId: '<1.changed@mail.example.com>' });
  // The worker knows the webhook with the producer of before for some seconds.
  await setProducer('postmark');
  await receive(hook, { messageId: '<2.changed@mail.example.com>' });
  expect((await states()).map(String).toSorted()).toEqual(['dead,contact_unidentified', 'done,']);
});

test('an answer finds the contact that a form created, whose chat it joins', async () => {
  const channelId = await addChannel();
  const hook = await addHook(channelId);
  await api.clear();
  const form = await api.addWebhook(undefined, channelId);
  const lead = { id: '35100009', name: 'Ana', email: 'Ana@Example.com' };
  await api.processEvents([await api.send(form, { id: 'f1', text: 'do formulário', lead })]);
  await receive(hook, { text: 'por e-mail' });
  const found = await messages();
  expect(new Set(found.map(({ chatId }) => chatId)).size).toBe(1);
  expect((await api.snapshot()).contacts).toHaveLength(1);
});

test('the id of another person’s mail opens the own chat of the stranger, without a quote', async () => {
  const channelId = await addChannel();
  const hook = await addHook(channelId);
  await api.clear();
  await receive(hook, { text: 'de Ana' });
  const [ana] = await messages();
  const messageId = await answer('Só para Ana.', ana?.chatId);
  const stranger = {
    from: 'ana@example.com <mallory@example.net>',
    messageId: '<m@example.net>',
    headers: answering(`<inlet.${messageId}@example.org>`),
  };
  await receive(hook, { ...stranger, text: 'de Mallory' });
  const found = await messages();
  const theirs = found.find(({ content }) => content.message === 'de Mallory');
  expect(theirs?.chatId).not.toBe(ana?.chatId);
  expect(theirs?.contactId).not.toBe(ana?.contactId);
  expect(theirs).not.toHaveProperty('quotedId');
  // The same Message-ID from another sender is another mail.
  await receive(hook, { text: 'Ana de novo', messageId: '<m@example.net>' });
  expect((await messages()).at(-1)).toMatchObject({ chatId: ana?.chatId });
  expect((await states()).map(([state]) => state)).toEqual(['done', 'done', 'done']);
});

test('a channel does not take the id of a message of another channel', async () => {
  const [one, other] = [await addChannel(), await addChannel()];
  const hooks = [await addHook(one), await addHook(other)] as const;
  await api.clear();
  await receive(hooks[0], { text: 'a um' });
  const [first] = await messages();
  const messageId = await answer('De um canal.', first?.chatId);
  await settled(messageId, 'delivered');
  const ownId = `<inlet.${messageId}@example.org>`;
  await receive(hooks[1], { text: 'a outro', headers: answering(ownId) });
  const joined = (await messages()).find(({ content }) => content.message === 'a outro');
  expect(joined?.chatId).not.toBe(first?.chatId);
  expect(joined).not.toHaveProperty('quotedId');
  await receive(hooks[1], bounceOf(ownId));
  expect((await deliveryOf(messageId))?.state).toBe('delivered');
});

function bounceOf(ownId: string, text = 'Action: failed\nStatus: 5.1.1\n'): ReceivedMail {
  return {
    from: 'Mail Delivery System <MAILER-DAEMON@mx.example.com>',
    returnPath: '',
    subject: 'Undelivered Mail Returned to Sender',
    messageId: `<b.${Math.random()}@mx.example.com>`,
    headers: [['Content-Type', 'multipart/report; report-type=delivery-status; boundary=x']],
    text: `I could not deliver your mail.\n\n${text}\nMessage-ID: ${ownId}\n`,
  };
}

describe('a mail that no person wrote', () => {
  let hook: Hook;
  let chatId: unknown;
  beforeAll(async () => {
    hook = await addHook(await addChannel({ replyTo: 'Answers@inbound.example.org' }));
  });
  beforeEach(async () => {
    await api.clear();
    await receive(hook, { text: 'Olá' });
    [{ chatId } = { chatId: '' }] = (await messages()) as unknown as [{ chatId: string }];
    await api.connection.collection('events').deleteMany({});
  });

  test('settles the delivery that it reports as failed, and opens no chat', async () => {
    const messageId = await answer('Chegou?', chatId);
    await settled(messageId, 'delivered');
    const bounce = bounceOf(`<inlet.${messageId}@example.org>`);
    await receive(hook, bounce);
    await receive(hook, bounce);
    expect(await deliveryOf(messageId)).toMatchObject({
      state: 'dead',
      reason: 'destination_rejected:5.1.1',
      reported: 'failed',
    });
    expect(await states()).toEqual([['ignored', 'delivery_status']]);
    expect((await api.snapshot()).contacts).toHaveLength(1);
  });

  test('that reports a delay, or a mail of another program, changes no delivery', async () => {
    const messageId = await answer('Chegou?', chatId);
    await settled(messageId, 'delivered');
    const ownId = `<inlet.${messageId}@example.org>`;
    await receive(hook, bounceOf(ownId, 'Action: delayed\nStatus: 4.4.1\n'));
    await receive(hook, bounceOf('<0198c0de-0000-7000-8000-000000000001@example.org>'));
    expect((await deliveryOf(messageId))?.state).toBe('delivered');
    expect(await states()).toEqual([
      ['ignored', 'automatic_mail:bounce'],
      ['ignored', 'automatic_mail:bounce'],
    ]);
  });

  test('about a mail whose sending is not recorded yet waits for the record', async () => {
    let reply = (): void => {};
    server.beforeReply((next) => void (reply = next));
    const messageId = await answer('Ainda a caminho.', chatId);
    await mailWith('Ainda a caminho.');
    await receive(hook, bounceOf(`<inlet.${messageId}@example.org>`));
    expect(await states()).toEqual([['waiting', 'delivery_status_early']]);
    // An answer of the person may be as early.
    await receive(hook, {
      text: 'Já chegou.',
      messageId: '<early@mail.example.com>',
      headers: answering(`<inlet.${messageId}@example.org>`),
    });
    expect((await messages()).at(-1)).toMatchObject({ chatId, quotedId: messageId });
    reply();
    await settled(messageId, 'delivered');
    await api.connection
      .collection('events')
      .updateMany({ state: 'waiting' }, { $set: { dueAt: new Date(0), nextAt: new Date(0) } });
    const [early] = await api.connection.collection('events').find({ state: 'waiting' }).toArray();
    await api.processEvents([String(early?._id)]);
    expect(await deliveryOf(messageId)).toMatchObject({ state: 'dead', reported: 'failed' });
  });

  test.each<[string, string, ReceivedMail]>([
    [
      'a vacation notice',
      'automatic_mail:auto_reply',
      { headers: [['Auto-Submitted', 'auto-replied']] },
    ],
    ['the own address', 'own_mail', { from: 'Desk <DESK@example.org>' }],
    ['the address for answers', 'own_mail', { from: 'answers@inbound.example.org' }],
    [
      'an own mail that came back',
      'own_mail',
      { messageId: '<inlet.0198c0de-0000-7000-8000-000000000001@example.org>' },
    ],
  ])('%s is recorded and ignored', async (_what, reason, mail) => {
    await receive(hook, { messageId: '<a@mail.example.com>', ...mail });
    expect(await states()).toEqual([['ignored', reason]]);
    expect(await messages()).toHaveLength(1);
  });
});

test('a message of an event says that no person sent it, and what it starts is never sent back', async () => {
  const channelId = await addChannel({ eventMessages: 'send' });
  const hook = await addHook(channelId);
  await api.clear();
  const form = await api.addWebhook(undefined, channelId);
  const lead = { id: '35100008', name: 'Ana', email: 'ana@example.com' };
  await api.processEvents([await api.send(form, { id: 'f2', text: 'Recebemos o pedido.', lead })]);
  const sent = await mailWith('Recebemos o pedido.');
  expect(sent.get('auto-submitted')).toBe('auto-generated');
  await receive(hook, {
    text: 'Obrigada!',
    headers: answering(sent.get('message-id') ?? ''),
  });
  const [, reply] = await messages();
  expect(reply).toMatchObject({ content: { message: 'Obrigada!' } });
  expect(reply).not.toHaveProperty('delivery');
});

test.each(['mailgun', 'cloudflare-email'] as const)(
  '%s without its secret is refused',
  async (service) => {
    const hook = await addHook(await addChannel(), service);
    await api.clear();
    const { headers, body } = requestOf(service);
    const raw = body.replace(/signature=[\da-f]{8}/, 'signature=00000000');
    const changed = { ...headers, 'x-mail-secret': 'another' };
    const { status } = await api.ask('POST', new URL(hook.url).pathname, {
      token: null,
      headers: changed,
      raw,
    });
    expect(status).toBe(401);
    expect(await events()).toEqual([]);
  },
);
