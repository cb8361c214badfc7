// The scenario of the specification's chapter 4.2: `npm start`, a webhook, its sample, mapping and activation, then contacts,
// chats and messages; with a resend, a wrong key and a restart.
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import {
  startInlet,
  startOnFreePorts,
  temporaryFolder,
  type Inlet,
} from '../support/processes/inlet.ts';
import {
  createClient,
  waitForValue,
  type Client,
  type Webhook,
} from '../support/processes/client.ts';

jest.setTimeout(180_000);

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let inlet: Inlet;
let client: Client;
let token = '';
let webhook: Webhook;
let eventId = '';
let ports: { INLET_PORT: string; INLET_OPS_PORT: string };

async function start(): Promise<Inlet> {
  const started = startInlet({ INLET_DATA_DIR: data.path, ...ports });
  await started.says('To stop');
  return started;
}

beforeAll(async () => {
  data = await temporaryFolder();
  ({ inlet, ports } = await startOnFreePorts({ INLET_DATA_DIR: data.path }, 'To stop'));
  await inlet.says('Admin token (shown once)');
  token = inlet.adminToken() ?? '';
  client = createClient({ url: () => inlet.url(), token });
});
afterAll(async () => {
  await inlet.destroy();
  await data.remove();
});

// The example of the specification with its values.
const payload = (
  id: string,
  person: { id: string; name: string; phone: string; email: string },
) => ({
  event: 'lead.created',
  event_id: id,
  created_at: '2026-01-06T12:00:00-03:00',
  lead: person,
  message: `Olá, aqui é ${person.name}`,
  campaign: { source: 'google', name: 'Verão' },
});

const ana = {
  id: '123',
  name: 'Ana Souza',
  phone: '+55 (11) 98765-4321',
  email: 'Ana@Example.com',
};
const bia = { id: '124', name: 'Bia Lima', phone: '+351 912 345 678', email: 'bia@example.com' };

const mapping: MappingDocument = {
  eventId: { path: 'event_id' },
  eventType: { path: 'event' },
  eventDate: { path: 'created_at', transforms: ['date'] },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone', transforms: ['phone'], required: true },
    email: { path: 'lead.email', transforms: ['email'] },
  },
  message: { text: { path: 'message' } },
  context: { origin: { path: 'campaign.source' }, campaign: { path: 'campaign.name' } },
};

/** Posts to the webhook URL like the CRM. */
async function post(url: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Envelope };
}
type Envelope = { status: boolean; data: Record<string, unknown> };

const params = () => ({ id: webhook.id });
const readWebhook = () => client.call('getWebhook', { params: params() });

test('1 to 3: a webhook is made for a channel, and its URL is shown', async () => {
  const channel = await client.call('createChannel', { body: { name: 'WhatsApp', kind: 'inbox' } });
  webhook = await client.call('createWebhook', { body: { name: 'CRM', channelId: channel.id } });
  expect(webhook.url).toBe(`${inlet.url()}/v1/webhook/${webhook.key}`);
  expect(await readWebhook()).toMatchObject({ status: 'draft', setup: { next: 'sample' } });
});

test('4 and 5: what the CRM sends before the activation is kept as a sample', async () => {
  const { status, body } = await post(webhook.url, payload('test-1', ana));
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: true, data: { success: true, mode: 'sample' } });
  const samples = await client.call('listWebhookSamples', { params: params() });
  expect(samples.results.map((sample): unknown => sample.body)).toEqual([payload('test-1', ana)]);
  expect(await readWebhook()).toMatchObject({ status: 'sampled', setup: { next: 'mapping' } });
});

test('6: the fields are mapped', async () => {
  expect(await client.saveMapping(webhook.id, mapping)).toBe(1);
  expect(await readWebhook()).toMatchObject({ status: 'mapped', setup: { next: 'activation' } });
});

test('7: the recognised data is reviewed, without effects, and the integration becomes active', async () => {
  const preview = await client.call('previewWebhookMappings', {
    params: params(),
    body: { version: 1, payload: { body: payload('test-1', ana) } },
  });
  expect(preview.items).toMatchObject([
    {
      ignored: null,
      eventId: 'test-1',
      eventType: 'lead.created',
      eventDate: '2026-01-06T15:00:00.000Z',
      contact: { name: 'Ana Souza', phone: '+5511987654321', email: 'ana@example.com' },
      message: { text: 'Olá, aqui é Ana Souza' },
      context: { origin: 'google', campaign: 'Verão' },
      problems: [],
    },
  ]);
  expect((await client.chats()).results).toEqual([]);
  await client.call('activateWebhookMapping', { params: { ...params(), version: '1' } });
  expect(await readWebhook()).toMatchObject({ status: 'active', setup: { next: null } });
});

test('a real event becomes a contact, a chat and a message', async () => {
  const { status, body } = await post(webhook.url, payload('e1', ana));
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: true, data: { success: true, duplicate: false } });
  eventId = String(body.data.eventId);
  const event = await client.settled(eventId);
  expect(event).toMatchObject({ state: 'done', problems: [] });

  const { results: contacts } = await client.contacts();
  expect(contacts).toMatchObject([
    {
      id: event.effects?.contactId,
      name: 'Ana Souza',
      phone: '11987654321',
      phone_ddi: '55',
      email: 'ana@example.com',
      external_id: '123',
    },
  ]);
  const { results: chats } = await client.chats();
  expect(chats).toMatchObject([
    {
      chat_id: event.effects?.chatId,
      name: 'Ana Souza',
      status: 'ura_webhook',
      worker: { name: 'WhatsApp' },
      contact: { id: event.effects?.contactId },
      context: { origin: 'google', campaign: 'Verão' },
    },
  ]);
  const { results: messages } = await client.messages(event.effects?.chatId ?? '');
  expect(messages).toMatchObject([
    {
      message_id: event.effects?.messageId,
      type_user: 'client',
      content: { type: 'text', message: 'Olá, aqui é Ana Souza' },
      date: '2026-01-06T15:00:00.000Z',
    },
  ]);
});

const totals = async () => {
  const chats = await client.chats();
  const messages = await Promise.all(chats.results.map((chat) => client.messages(chat.chat_id)));
  return {
    contacts: (await client.contacts()).pagings.total,
    chats: chats.pagings.total,
    messages: messages.reduce((sum, { pagings }) => sum + pagings.total, 0),
    events: (await client.call('listEvents', {})).pagings.total,
  };
};

test('the same event again is answered 200 as a duplicate, and nothing is new', async () => {
  const { status, body } = await post(webhook.url, payload('e1', ana));
  expect(status).toBe(200);
  expect(body.data).toEqual({ success: true, eventId, duplicate: true });
  expect(await client.settled(eventId)).toMatchObject({ state: 'done', deliveries: 2 });
  expect(await totals()).toEqual({ contacts: 1, chats: 1, messages: 1, events: 1 });
});

test('a second person has a chat of their own, and a second event of the first does not', async () => {
  for (const sent of [payload('e2', bia), payload('e3', ana)]) {
    const { body } = await post(webhook.url, sent);
    expect(await client.settled(String(body.data.eventId))).toMatchObject({ state: 'done' });
  }
  expect(await totals()).toEqual({ contacts: 2, chats: 2, messages: 3, events: 3 });
});

test('a body so large that a thread decodes it is known as a resend, too', async () => {
  const large = { ...payload('e3', ana), notes: 'x'.repeat(200_000) };
  const { status, body } = await post(webhook.url, large);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ success: true, duplicate: true });
  expect((await totals()).events).toBe(3);
});

test('another key is answered 401, and nothing is kept', async () => {
  const wrong = `${webhook.url.slice(0, -1)}${webhook.url.endsWith('A') ? 'B' : 'A'}`;
  const { status, body } = await post(wrong, payload('e9', ana));
  expect(status).toBe(401);
  expect(body).toMatchObject({ status: false, data: { success: false, code: 'invalid_key' } });
  expect((await totals()).events).toBe(3);
});

test('after a restart everything is there, resends are still known, and processing goes on', async () => {
  const before = await totals();
  inlet.signal('SIGTERM');
  expect(await inlet.ended).toBe(0);
  inlet = await start();
  expect(await totals()).toEqual(before);

  const resent = await post(webhook.url, payload('e1', ana));
  expect(resent.body.data).toEqual({ success: true, eventId, duplicate: true });
  const { body } = await post(webhook.url, payload('e4', bia));
  expect(await client.settled(String(body.data.eventId))).toMatchObject({ state: 'done' });
  await waitForValue('a fourth message', async () =>
    (await totals()).messages === 4 ? true : undefined,
  );
  expect(await totals()).toEqual({ contacts: 2, chats: 2, messages: 4, events: 4 });
});
