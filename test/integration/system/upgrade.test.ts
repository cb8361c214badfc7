// A database as the first release left it: what later ones added is not on its records. After the migration step everything
// can be listed, read and changed, and events are taken and processed.
import { silentLogger } from '../../../src/base/observability/logger.ts';
import { derivedId, newId, newSecret, sha256 } from '../../../src/base/ids.ts';
import { migrateIndexes } from '../../../src/resources.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
const past = new Date('2025-11-20T10:00:00Z');
const ids = {
  inbox: newId(),
  outside: newId(),
  webhook: newId(),
  contact: newId(),
  tombstone: newId(),
  chat: newId(),
  event: newId(),
  dead: newId(),
  waiting: newId(),
};
const key = newSecret('inlet_wk_');
const token = newSecret('inlet_at_');
const signingSecret = 'a-secret-from-before-there-were-keys';
const channelUrl = 'https://leads.example.com/in';

const lead = {
  id: 'e-old',
  type: 'lead',
  lead: { id: 'l1', name: 'Ána', phone: '+5511999990001' },
  text: 'Oi',
};
const body = Buffer.from(JSON.stringify(lead));

const channel = { enabled: true, createdAt: past, updatedAt: past };
const eventBefore = {
  webhookId: ids.webhook,
  delivery: { body, contentType: 'application/json', headers: {}, query: {} },
  bodySha256: sha256(body.toString()),
  bodyBytes: body.length,
  parentId: null,
  itemIndex: null,
  items: null,
  mappingVersion: 1,
  reason: null,
  eventType: 'lead',
  eventDate: past,
  attempts: 1,
  deliveries: 1,
  differing: 0,
  generation: 0,
  fence: 1,
  sweeps: 0,
  dueAt: null,
  nextAt: null,
  receivedAt: past,
  lastSeenAt: past,
  finishedAt: past,
  problems: [],
  timeline: [{ at: past, state: 'received', reason: null }],
};
const stamp = `${past.toISOString()}|b1|0`;

/** Nothing here may be taken from the code of today: it would be as today's records are. */
const before: Record<string, readonly Record<string, unknown>[]> = {
  channels: [
    { _id: ids.inbox, name: 'Inbox', kind: 'inbox', settings: {}, ...channel },
    { _id: ids.outside, name: 'Outside', kind: 'http', settings: { url: channelUrl }, ...channel },
  ],
  webhooks: [
    {
      _id: ids.webhook,
      name: 'Formulário São Paulo',
      channelId: ids.inbox,
      producerProfile: 'generic',
      status: 'active',
      sampledAt: past,
      activeVersion: 1,
      lastVersion: 1,
      overlaps: [],
      createdAt: past,
      updatedAt: past,
      changedAt: past,
    },
  ],
  keys: [
    {
      _id: newId(),
      webhookId: ids.webhook,
      hash: sha256(key),
      lastFour: key.slice(-4),
      createdAt: past,
      expiresAt: null,
      revokedAt: null,
    },
  ],
  mappings: [
    {
      _id: newId(),
      webhookId: ids.webhook,
      version: 1,
      document: JSON.stringify(leadMapping),
      status: 'active',
      createdAt: past,
      createdBy: 'first',
      activatedAt: past,
    },
  ],
  samples: [
    {
      _id: newId(),
      webhookId: ids.webhook,
      receivedAt: past,
      source: 'webhook',
      contentType: 'application/json',
      headers: '{}',
      query: '{}',
      body,
    },
  ],
  tokens: [
    {
      _id: derivedId('token', 'first'),
      name: 'first',
      scopes: ['admin'],
      hash: sha256(token),
      createdAt: past,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    },
  ],
  audit: ['channel.create', 'webhook.create', 'webhook.activate'].map((action, n) => ({
    _id: newId(),
    at: new Date(+past + n * 1_000),
    actor: { tokenId: 'x', name: 'first' },
    action,
    target: { type: action.split('.')[0], id: n === 0 ? ids.inbox : ids.webhook },
    before: null,
    after: { name: 'Inbox' },
  })),
  contacts: [
    {
      _id: ids.contact,
      channelId: ids.inbox,
      registers: { name: { value: 'Ána', stamp }, phone: { value: '+5511999990001', stamp } },
      createdAt: past,
      updatedAt: past,
    },
    {
      _id: ids.tombstone,
      channelId: ids.inbox,
      registers: {},
      mergedInto: ids.contact,
      createdAt: past,
      updatedAt: past,
    },
  ],
  identities: [
    {
      _id: derivedId('identity', ids.inbox, 'phone', '+5511999990001'),
      channelId: ids.inbox,
      kind: 'phone',
      value: '+5511999990001',
      contactId: ids.contact,
    },
  ],
  chats: [
    {
      _id: ids.chat,
      channelId: ids.inbox,
      contactId: ids.tombstone,
      status: 'ura_webhook',
      open: true,
      opening: { stamp, date: past, origin: null, campaign: null, sectorId: null, fields: [] },
      labelIds: [],
      lastMessageAt: past,
      startedAt: past,
      closedAt: null,
    },
  ],
  messages: [
    {
      _id: derivedId('message', ids.event),
      eventId: ids.event,
      webhookId: ids.webhook,
      channelId: ids.inbox,
      contactId: ids.contact,
      chatId: ids.chat,
      typeUser: 'client',
      content: { type: 'text', message: 'Oi' },
      date: past,
      createdAt: past,
    },
  ],
  events: [
    {
      ...eventBefore,
      _id: ids.event,
      externalId: 'e-old',
      dedupKeys: ['k1'],
      state: 'done',
      effects: {
        contactId: ids.contact,
        chatId: ids.chat,
        messageId: derivedId('message', ids.event),
      },
    },
    {
      ...eventBefore,
      _id: ids.dead,
      externalId: 'e-dead',
      dedupKeys: ['k2'],
      state: 'dead',
      reason: 'attempts_spent',
      effects: null,
    },
    {
      ...eventBefore,
      _id: ids.waiting,
      externalId: 'e-waiting',
      dedupKeys: ['k3'],
      state: 'waiting',
      reason: 'internal',
      open: true,
      dueAt: past,
      nextAt: past,
      finishedAt: null,
      effects: null,
    },
  ],
};

beforeAll(async () => {
  api = await createTestApi('http_upgrade');
  const db = api.connection.getClient().db(api.connection.name);
  for (const [name, records] of Object.entries(before)) {
    await db.collection(name).insertMany(records.map((record) => ({ ...record })) as never);
  }
  await migrateIndexes(api.connection, silentLogger());
  // Every start does it again.
  await migrateIndexes(api.connection, silentLogger());
});
afterAll(() => api.close());

async function admin(method: string, path: string, sent?: unknown) {
  const given = sent === undefined ? { token } : { token, body: sent };
  const answer = await api.ask(method, path, given);
  expect([method, path, answer.status, answer.text]).toEqual([
    method,
    path,
    expect.any(Number),
    expect.any(String),
  ]);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}
const read = (path: string) => admin('GET', path);
const webhookPath = `/v1/admin/webhooks/${ids.webhook}`;

test.each([
  ['channels', 2],
  ['webhooks', 1],
  ['webhooks?search=sao%20formul', 1],
  ['webhooks?name=formul%C3%A1rio%20s%C3%A3o%20paulo', 0],
  ['webhooks?sort_by=name', 1],
  [`webhooks/${ids.webhook}/keys`, 1],
  [`webhooks/${ids.webhook}/samples`, 1],
  [`webhooks/${ids.webhook}/mappings`, 1],
  ['events', 3],
  ['events?eventType=lead&mappingVersion=1', 3],
  ['events?phone=%2B5511999990001', 1],
  ['dead-letters', 1],
  ['contacts', 1],
  ['contacts?search=ana', 1],
  ['tokens', 1],
  ['audit', 3],
])('%s lists %d', async (path, total) => {
  const { pagings, results } = await read(`/v1/admin/${path}`);
  expect([pagings.total, results.length]).toEqual([total, total]);
});

test('each thing can be read by itself', async () => {
  const paths = [
    `channels/${ids.inbox}`,
    `channels/${ids.outside}`,
    `webhooks/${ids.webhook}`,
    `webhooks/${ids.webhook}/settings`,
    `webhooks/${ids.webhook}/drift`,
    `webhooks/${ids.webhook}/mappings/1`,
    `events/${ids.event}`,
    `events/${ids.dead}`,
    `events/${ids.event}/deliveries`,
    `contacts/${ids.contact}`,
    `tokens/${derivedId('token', 'first')}`,
    'webhooks/counts',
    'stats?by=hour',
    'stats/webhooks',
  ];
  for (const path of paths) expect(await read(`/v1/admin/${path}`)).toBeTruthy();
  expect(await read(webhookPath)).toMatchObject({ previousVersion: null, schedule: null });
  const [only] = (await read(`${webhookPath}/keys`)).results;
  expect(only).toMatchObject({ uses: 0, lastUsedAt: null });
});

test('the inbox shows the chat under whom its tombstone leads to', async () => {
  const { results } = await read('/v1/chat?status=my_chats');
  expect(results.map((one: { contact: { id: string } }) => one.contact.id)).toEqual([ids.contact]);
  const found = await read('/v1/chat?status=my_chats&filter_name=ana');
  expect(found.pagings.total).toBe(0);
  expect((await read('/v1/chat?status=my_chats&filter_phone=11999990001')).pagings.total).toBe(1);
  expect((await read('/v1/chat/contacts')).pagings.total).toBe(1);
});

test('the audit log is one chain, and what is done now goes on with it', async () => {
  await admin('PATCH', `/v1/admin/channels/${ids.inbox}`, { name: 'Caixa' });
  const verified = await read('/v1/admin/audit/verify');
  expect(verified).toMatchObject({ ok: true });
});

test('a secret that is stored in clear is shown to nobody', async () => {
  const webhooks = api.connection.getClient().db(api.connection.name).collection('webhooks');
  const signature = { preset: 'github', secrets: [signingSecret] };
  await webhooks.updateOne({ _id: ids.webhook } as never, { $set: { settings: { signature } } });
  expect(JSON.stringify(await read(`${webhookPath}/settings`))).not.toContain(signingSecret);
  await admin('PATCH', `${webhookPath}/settings`, { signature: null });
});

test('everything can be changed', async () => {
  await admin('PATCH', webhookPath, { name: 'Formulário do site' });
  await admin('PATCH', `${webhookPath}/settings`, { retries: { maxAttempts: 3 } });
  await admin('PATCH', `/v1/admin/channels/${ids.outside}`, {
    settings: { signingSecret: `whsec_${'A'.repeat(32)}` },
  });
  expect(await read(`/v1/admin/channels/${ids.outside}`)).toMatchObject({
    settings: { url: channelUrl },
    secretsSet: ['signingSecret'],
  });
  await admin('PATCH', `/v1/admin/contacts/${ids.contact}`, { name: 'Ana', pins: ['name'] });
  const { version } = await admin('POST', `${webhookPath}/mappings`, { mapping: leadMapping });
  await admin('POST', `${webhookPath}/activate`, { version });
  expect(await read(webhookPath)).toMatchObject({ activeVersion: 2, previousVersion: 1 });
  await admin('POST', `${webhookPath}/rollback`);
  await admin('POST', `${webhookPath}/keys/rotate`, { overlapHours: 1 });
  await admin('POST', `${webhookPath}/pause`);
  await admin('POST', `${webhookPath}/resume`);
});

test('the old key still takes events, and they go to the person who was there', async () => {
  const answer = await api.ask('POST', `/v1/webhook/${key}`, {
    token: null,
    body: { ...lead, id: 'e-new', text: 'De novo' },
  });
  expect([answer.status, answer.body.data]).toMatchObject([
    200,
    { success: true, duplicate: false },
  ]);
  const { eventId } = answer.body.data;
  await api.processEvents([eventId]);
  expect((await read(`/v1/admin/events/${eventId}`)).effects).toMatchObject({
    contactId: ids.contact,
  });
});

test('an event that waited for its next attempt is processed', async () => {
  await api.processEvents([ids.waiting]);
  expect(await read(`/v1/admin/events/${ids.waiting}`)).toMatchObject({
    state: 'done',
    effects: { contactId: ids.contact },
  });
});

test('a dead event of before is replayed', async () => {
  await admin('POST', `/v1/admin/events/${ids.dead}/replay`);
  await api.processEvents([ids.dead]);
  expect(await read(`/v1/admin/events/${ids.dead}`)).toMatchObject({ state: 'done' });
});
