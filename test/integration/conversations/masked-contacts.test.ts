// A token that may not see contact data.
import { useConversations } from '../../support/context/conversations.ts';

jest.setTimeout(60_000);

const c = useConversations('http_masked_contacts');

const secrets = ['987654321', 'ana.reis@example.com', '52998224725', 'Rua das Flores', 'ext-ana'];

let token: string;
let contactId: string;
let chatId: string;

beforeAll(async () => {
  const made = await c.api().ask('POST', '/v1/admin/tokens', {
    body: { name: 'Masked', scopes: ['inbox'], maskContacts: true },
  });
  token = made.body.data.token;
  const { body } = await c.call('POST', '/chat/contacts', {
    body: {
      name: 'Ana Reis',
      phone_ddi: '55',
      phone: '11987654321',
      channel_ids: [c.channelId()],
      email: 'ana.reis@example.com',
      document: '529.982.247-25',
      street: 'Rua das Flores',
    },
  });
  contactId = body.data.contact_id;
  const started = await c.call('POST', '/chat/start-with-contact', {
    body: { contact_id: contactId, worker_id: c.channelId() },
  });
  chatId = started.body.data.chat_id;
});

const masked = (method: string, path: string, body?: object) =>
  c.call(method, path, { token, ...(body && { body }) });

test('sees the name and the last digits of the number, and nothing else of a contact', async () => {
  const { status, body } = await masked('GET', `/chat/contacts/${contactId}`);
  expect([status, body.data]).toMatchObject([
    200,
    {
      name: 'Ana Reis',
      phone_ddi: '55',
      phone: '*********21',
      email: '***',
      document: '***',
      external_id: null,
      fields: { street: '***' },
    },
  ]);
  const { body: whole } = await c.call('GET', `/chat/contacts/${contactId}`);
  expect(whole.data).toMatchObject({ phone: '11987654321', email: 'ana.reis@example.com' });
});

test('no answer of the conversations API contains the values', async () => {
  const fromEvent = await c.lead('ext-ana', {
    lead: { id: 'ext-ana', name: 'Ana Event', email: 'ana.reis@example.com' },
  });
  const reads = [
    '/chat?status=my_chats&per_page=200',
    '/chat?status=my_chats&filter_name=Ana',
    `/chat/${chatId}/details`,
    `/admin/contacts/${contactId}/chats/${chatId}`,
    `/admin/contacts/${contactId}/chats/${chatId}/messages`,
    `/admin/contacts/${fromEvent.contactId}/chats/${fromEvent.chatId}`,
    `/admin/contacts/${fromEvent.contactId}/chats/${fromEvent.chatId}/messages`,
    `/chat/${chatId}/official-conversation/context`,
    '/chat?status=my_chats&filter_phone=11987654321',
    `/chat/${fromEvent.chatId}/details`,
    `/chat/${chatId}`,
    `/chat/${chatId}/attendants`,
    '/chat/contacts',
    `/chat/contacts/${contactId}`,
    '/chat/contacts/by-phone?phone_ddi=55&phone=11987654321',
    '/chat/search?query=hello',
    '/chat/unread-summary',
  ];
  for (const path of reads) {
    const { status, body } = await masked('GET', path);
    expect([path, status]).toEqual([path, 200]);
    const text = JSON.stringify(body);
    expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []]);
  }
  const changes = [
    ['PATCH', `/chat/${chatId}/status`, { status: 'in_chat' }],
    ['PATCH', `/chat/${chatId}/label`, { label_template_ids: [] }],
    ['POST', `/chat/${chatId}/read`, undefined],
    ['POST', '/chat/start-with-contact', { contact_id: contactId, worker_id: c.channelId() }],
    ['PATCH', `/chat/${chatId}/status`, { status: 'closed' }],
  ] as const;
  for (const [method, path, body] of changes) {
    const answer = await masked(method, path, body);
    expect([path, answer.status]).toEqual([path, 200]);
    const text = JSON.stringify(answer.body);
    expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []]);
  }
});

test('it cannot search by a part of a number or write masked values back', async () => {
  expect((await masked('GET', '/chat?status=my_chats&filter_phone=98')).status).toBe(403);
  const { status } = await masked('PATCH', `/chat/contacts/${contactId}`, { name: 'Ana R.' });
  expect(status).toBe(403);
});

test('a number that is taken does not say whose it is', async () => {
  const taken = {
    name: 'Guess',
    phone_ddi: '55',
    phone: '11987654321',
    channel_ids: [c.channelId()],
  };
  const alone = await masked('POST', '/chat/contacts', taken);
  expect([alone.status, alone.body.data]).toMatchObject([409, { code: 'conflict' }]);
  expect(alone.body.data).not.toHaveProperty('contactId');
  const batch = await masked('POST', '/chat/contacts/batch', { contacts: [taken] });
  expect(batch.body.data.results).toMatchObject([{ code: 'conflict', contactId: null }]);
  const { body } = await c.call('POST', '/chat/contacts', { body: taken });
  expect(body.data.contactId).toBe(contactId);
});

test.each([[['viewer']], [['inbox', 'viewer']], [['admin']]])(
  'a token with the scopes %j cannot be masked',
  async (scopes) => {
    const { status, body } = await c.api().ask('POST', '/v1/admin/tokens', {
      body: { name: 'Wrong', scopes, maskContacts: true },
    });
    expect([status, body.data.fields[0].path]).toEqual([422, '/maskContacts']);
  },
);
