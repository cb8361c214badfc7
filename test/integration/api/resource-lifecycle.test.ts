import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { newId } from '../../../src/base/ids.ts';
import { aChannel } from '../../support/context/builders.ts';
import type { Answer, RequestOptions } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { withResponses } from '../../support/openapi/contract.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let channelId: string;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  api = await createTestApi('http_resources');
  const document = (await api.ask('GET', '/v1/openapi.json', { token: null })).body;
  ajv.addSchema(withResponses(document), 'openapi');
  channelId = await aChannel({ ask }, { settings: { region: 'PT' } });
});
afterAll(() => api.close());

const escaped = (path: string): string => path.replaceAll('~', '~0').replaceAll('/', '~1');

/** Sends a request and validates the answer against the OpenAPI document. */
async function ask(method: string, path: string, given: RequestOptions = {}): Promise<Answer> {
  const answer = await api.ask(method, path, given);
  const { paths } = (await api.ask('GET', '/v1/openapi.json')).body as never as {
    paths: Record<string, unknown>;
  };
  const bare = path.split('?')[0] ?? '';
  const template = Object.keys(paths).find((one) => shapeOf(one).test(bare)) ?? '';
  const pointer = `paths/${escaped(template)}/${method.toLowerCase()}/responses/${answer.status}`;
  const validate = ajv.compile({
    $ref: `openapi#/${encodeURI(pointer)}/content/application~1json/schema`,
  });
  validate(answer.body);
  expect({ pointer, errors: validate.errors }).toEqual({ pointer, errors: null });
  return answer;
}

const shapeOf = (template: string): RegExp =>
  new RegExp(
    `^${template.replaceAll(/\{version\}/g, '\\d+').replaceAll(/\{\w+\}/g, '[0-9a-f-]{36}')}$`,
  );

async function newWebhook(name = 'Leads') {
  const made = await ask('POST', '/v1/admin/webhooks', { body: { name, channelId } });
  expect(made.status).toBe(201);
  return made.body.data as { id: string; url: string; key: string };
}

const lead = (over: object = {}) => ({
  id: newId(),
  type: 'lead.created',
  at: '2026-01-02T03:04:05Z',
  lead: {
    id: 'L1',
    name: 'Ana',
    phone: '+5511999990001',
    email: 'ana@example.com',
    city: 'Recife',
  },
  text: 'Olá',
  origin: 'ads',
  label: 'Lead',
  sector: 'Vendas',
  password: 'hush',
  ...over,
});

const send = (key: string, body: unknown) =>
  api.ask('POST', `/v1/webhook/${key}`, { token: null, body });

async function activeWebhook() {
  const webhook = await newWebhook();
  await send(webhook.key, lead());
  const path = `/v1/admin/webhooks/${webhook.id}`;
  await ask('POST', `${path}/mappings`, { body: { mapping: leadMapping } });
  await ask('POST', `${path}/activate`);
  return { ...webhook, path };
}

const rowsOf = async (id: string) =>
  api.connection.collection('audit').find({ 'target.id': id }).sort({ _id: 1 }).toArray();

describe('channels', () => {
  test('are created, read and listed', async () => {
    const read = await ask('GET', `/v1/admin/channels/${channelId}`);
    expect(read.body.data).toMatchObject({
      id: channelId,
      name: 'Inbox',
      kind: 'inbox',
      settings: { region: 'PT' },
      enabled: true,
    });
    const listed = await ask('GET', '/v1/admin/channels?kind=inbox&enabled=true&name=Inbox');
    expect(listed.body.data.results).toEqual([read.body.data]);
    expect((await ask('GET', '/v1/admin/channels?enabled=false')).body.data.results).toEqual([]);
  });

  test('reject a region without phone numbers', async () => {
    const body = { name: 'x', kind: 'inbox', settings: { region: 'ZZ' } };
    const answer = await ask('POST', '/v1/admin/channels', { body });
    expect(answer.status).toBe(422);
    expect(answer.body.data.fields[0].path).toBe('/settings/region');
  });
});

describe('a webhook', () => {
  test('shows its URL and key once, and stores neither', async () => {
    const { id, url, key } = await newWebhook();
    expect(url).toBe(`${api.url}/v1/webhook/${key}`);
    expect(key).toMatch(/^inlet_wk_/);
    const read = await ask('GET', `/v1/admin/webhooks/${id}`);
    expect(read.text).not.toContain(key);
    const stored = await api.connection.collection('keys').find({ webhookId: id }).toArray();
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  test('goes through its set-up, and names the next step at each step', async () => {
    const { id, key } = await newWebhook();
    const path = `/v1/admin/webhooks/${id}`;
    const look = async () => {
      const { data } = (await ask('GET', path)).body;
      return [data.status, data.setup.next];
    };
    expect(await look()).toEqual(['draft', 'sample']);
    await send(key, lead());
    expect(await look()).toEqual(['sampled', 'mapping']);
    const saved = await ask('POST', `${path}/mappings`, { body: { mapping: leadMapping } });
    expect(saved.body.data).toMatchObject({ version: 1, status: 'draft', mapping: leadMapping });
    expect(await look()).toEqual(['mapped', 'activation']);
    const activated = await ask('POST', `${path}/mappings/1/activate`);
    expect(activated.body.data).toMatchObject({
      status: 'active',
      activeVersion: 1,
      setup: { sample: true, mapping: true, active: true, next: null },
    });
    expect((await ask('POST', `${path}/pause`)).body.data.status).toBe('paused');
    expect((await ask('POST', `${path}/pause`)).body.data).toMatchObject({
      code: 'invalid_transition',
      state: 'paused',
    });
    expect((await ask('POST', `${path}/resume`)).body.data.status).toBe('active');
    expect((await ask('POST', `${path}/archive`)).body.data.status).toBe('archived');
    expect((await ask('POST', `${path}/activate`)).body.data.state).toBe('archived');
    expect((await send(key, lead())).status).toBe(401);
  });

  test('an activation names the missing sample or mapping', async () => {
    const { id, key } = await newWebhook();
    const path = `/v1/admin/webhooks/${id}`;
    await ask('POST', `${path}/mappings`, { body: { mapping: {} } });
    expect((await ask('POST', `${path}/mappings/1/activate`)).body.data.missing).toEqual([
      'sample',
    ]);
    const { key: other, id: otherId } = await newWebhook();
    await send(other, lead());
    const answer = await ask('POST', `/v1/admin/webhooks/${otherId}/activate`);
    expect(answer.body.data).toMatchObject({ code: 'setup_incomplete', missing: ['mapping'] });
    await send(key, lead());
    expect((await ask('POST', `${path}/activate`)).status).toBe(200);
  });

  test('turns its stored samples into events once, on request', async () => {
    const { id, key } = await newWebhook();
    const path = `/v1/admin/webhooks/${id}`;
    await send(key, lead());
    await send(key, lead());
    await ask('POST', `${path}/mappings`, { body: { mapping: leadMapping } });
    await ask('POST', `${path}/activate`, { body: { processSamples: true } });
    await ask('POST', `${path}/activate`, { body: { processSamples: true } });
    const events = await ask('GET', `/v1/admin/events?webhookId=${id}`);
    expect(events.body.data.pagings.total).toBe(2);
  });

  test('says its status in the caller’s language', async () => {
    const { path } = await activeWebhook();
    const labelIn = async (language: string) =>
      (await ask('GET', path, { headers: { 'accept-language': language } })).body.data.statusLabel;
    expect(await labelIn('pt-BR')).toBe('Ativa');
    expect(await labelIn('es')).toBe('Activa');
    expect(await labelIn('en-GB')).toBe('Active');
  });

  test('is renamed and moved, and the audit log records who did it, without secrets', async () => {
    const { id, key } = await newWebhook('Before');
    const path = `/v1/admin/webhooks/${id}`;
    const operator = await api.addToken(['operator']);
    const renamed = await ask('PATCH', path, { token: operator, body: { name: 'After $x' } });
    expect(renamed.body.data.name).toBe('After $x');
    const rows = await rowsOf(id);
    expect(rows.map(({ action }) => String(action))).toEqual(['webhook.create', 'webhook.update']);
    expect(rows[1]).toMatchObject({
      actor: { name: 'operator' },
      before: { name: 'Before' },
      after: { name: 'After $x' },
    });
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('a change is seen by the receiver before it is answered', async () => {
    const { key, path } = await activeWebhook();
    expect((await send(key, lead())).body.data.mode).toBeUndefined();
    await ask('POST', `${path}/pause`);
    expect((await send(key, lead())).body.data.mode).toBe('held');
  });
});

describe('samples', () => {
  test('are listed and read with credentials masked', async () => {
    const { id, key } = await newWebhook();
    await send(key, lead({ nested: [{ api_key: 'hush' }] }));
    const path = `/v1/admin/webhooks/${id}/samples`;
    const listed = await ask('GET', `${path}?source=webhook`);
    const [sample] = listed.body.data.results;
    expect(sample).toMatchObject({ source: 'webhook', contentType: 'application/json' });
    expect(sample.body).toMatchObject({ type: 'lead.created', password: '***' });
    expect(listed.text).not.toContain('hush');
    const read = await ask('GET', `${path}/${sample.id}`);
    expect(read.body.data).toEqual(sample);
    const other = await newWebhook();
    const foreign = await ask('GET', `/v1/admin/webhooks/${other.id}/samples/${sample.id}`);
    expect(foreign.status).toBe(404);
  });
});

describe('mappings', () => {
  test('versions are listed newest first and read by number', async () => {
    const { path } = await activeWebhook();
    await ask('POST', `${path}/mappings`, { body: { mapping: {} } });
    const listed = await ask('GET', `${path}/mappings`);
    expect(listed.body.data.results.map((one: { version: number }) => one.version)).toEqual([2, 1]);
    const active = await ask('GET', `${path}/mappings?status=active`);
    expect(active.body.data.results).toHaveLength(1);
    const read = await ask('GET', `${path}/mappings/1`);
    expect(read.body.data).toMatchObject({ version: 1, status: 'active', mapping: leadMapping });
    expect(read.body.data.activatedAt).not.toBeNull();
    expect((await ask('GET', `${path}/mappings/3`)).status).toBe(404);
  });

  test('a preview shows the result of a payload, in the channel’s region', async () => {
    const { path } = await activeWebhook();
    const body = { version: 1, payload: { body: lead({ lead: { phone: '912345678' } }) } };
    const viewer = await api.addToken(['viewer']);
    const answer = await ask('POST', `${path}/mappings/preview`, { token: viewer, body });
    const [item] = answer.body.data.items;
    expect(item.contact).toMatchObject({ phone: '+351912345678', email: null });
    expect(item.eventDate).toBe('2026-01-02T03:04:05.000Z');
    const raw = { mapping: { split: '@' }, payload: { rawBody: '[{},{}]' } };
    const split = await ask('POST', `${path}/mappings/preview`, { body: raw });
    expect(split.body.data.items).toHaveLength(2);
  });

  test('problems are told in the caller’s language, in a preview and in an event', async () => {
    const { id: webhookId, key, path } = await activeWebhook();
    const body = lead({ id: 'spoken', lead: { id: 'L8', name: 'Ana', phone: '12' } });
    const { eventId } = (await send(key, body)).body.data;
    await api.processEvents([eventId]);
    const messageIn = async (language: string) => {
      const headers = { 'accept-language': language };
      const given = { headers, body: { version: 1, payload: { body } } };
      const preview = await ask('POST', `${path}/mappings/preview`, given);
      const event = await ask('GET', `/v1/admin/events/${eventId}`, { headers });
      expect(event.body.data).toMatchObject({ webhookId, state: 'done' });
      const [item] = preview.body.data.items;
      expect(event.body.data.problems).toEqual(item.problems);
      return item.problems[0];
    };
    const problem = { target: 'contact.phone', code: 'invalid_phone' };
    const messages = {
      'pt-BR': 'O valor não é um número de telefone.',
      es: 'El valor no es un número de teléfono.',
      en: 'The value is not a phone number.',
    };
    for (const [language, message] of Object.entries(messages))
      expect(await messageIn(language)).toEqual({ ...problem, message });
  });
});

describe('events and the inbox', () => {
  test('a lead is an event, a chat, a message and a contact', async () => {
    const { id: webhookId, key } = await activeWebhook();
    const sent = lead({
      lead: { ...lead().lead, id: 'L7', phone: '+5511999990007', email: 'x@example.com' },
    });
    const { eventId } = (await send(key, sent)).body.data;
    await api.processEvents([eventId]);

    const listed = await ask('GET', `/v1/admin/events?webhookId=${webhookId}&state=done`);
    expect(listed.body.data.results).toMatchObject([{ id: eventId, externalId: sent.id }]);
    const { data: event } = (await ask('GET', `/v1/admin/events/${eventId}`)).body;
    expect(event).toMatchObject({ state: 'done', payload: { text: 'Olá', password: '***' } });

    const inbox = await api.addToken(['inbox']);
    const chats = await ask('GET', `/v1/chat?status=ura_webhook&filter_phone=999990007`, {
      token: inbox,
    });
    expect(chats.body.data.results).toMatchObject([
      {
        chat_id: event.effects.chatId,
        worker: { id: channelId, name: 'Inbox' },
        sector: { name: 'Vendas' },
        user: null,
        contact: { id: event.effects.contactId, phone: '11999990007', phone_ddi: '55' },
        name: 'Ana',
        phone: '11999990007',
        status: 'ura_webhook',
        labels: [{ label: 'Lead' }],
        unread_count: 1,
        context: { origin: 'ads', campaign: null, fields: {} },
      },
    ]);
    const history = await ask('GET', `/v1/chat/${event.effects.chatId}`, { token: inbox });
    expect(history.body.data.results).toMatchObject([
      {
        message_id: event.effects.messageId,
        type_user: 'client',
        content: { type: 'text', message: 'Olá' },
      },
    ]);
    const contact = await ask('GET', `/v1/chat/contacts/${event.effects.contactId}`, {
      token: inbox,
    });
    expect(contact.body.data).toMatchObject({
      name: 'Ana',
      phone: '11999990007',
      phone_ddi: '55',
      external_id: 'L7',
      fields: { city: 'Recife' },
    });
    expect((await ask('GET', '/v1/chat/contacts', { token: inbox })).status).toBe(200);
  });

  test('a dead event is replayed, and the audit row names the actor', async () => {
    const { key } = await activeWebhook();
    const { eventId } = (await send(key, lead({ lead: {} }))).body.data;
    await api.processEvents([eventId]);
    const dead = await ask('GET', `/v1/admin/events/${eventId}`);
    expect(dead.body.data).toMatchObject({ state: 'dead', reason: 'contact_unidentified' });
    const replayed = await ask('POST', `/v1/admin/events/${eventId}/replay`);
    expect(replayed.body.data.state).toBe('received');
    expect((await ask('POST', `/v1/admin/events/${eventId}/replay`)).body.data).toMatchObject({
      code: 'invalid_transition',
      state: 'received',
    });
    expect(await rowsOf(eventId)).toMatchObject([
      { action: 'event.replay', before: { state: 'dead' }, after: { state: 'received' } },
    ]);
  });
});

describe('lists', () => {
  test('are paged without repeating or missing anything', async () => {
    const names = ['p1', 'p2', 'p3', 'p4', 'p5'];
    for (const name of names) await newWebhook(name);
    const filter = `name=${names.join(',')}&sort_by=-name`;
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) =>
        ask('GET', `/v1/admin/webhooks?${filter}&per_page=2&current_page=${page}`),
      ),
    );
    expect(
      pages.flatMap(({ body }) => body.data.results.map((one: { name: string }) => one.name)),
    ).toEqual(['p5', 'p4', 'p3', 'p2', 'p1']);
    expect(pages.map(({ body }) => body.data.pagings.count)).toEqual([2, 2, 1, 0]);
    expect(pages[0]?.body.data.pagings).toEqual({
      current_page: 1,
      total_pages: 3,
      per_page: 2,
      count: 2,
      total: 5,
      total_exact: true,
    });
  });

  test('take dates as days or times, including both ends', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const total = async (query: string) =>
      (await ask('GET', `/v1/admin/webhooks?${query}`)).body.data.pagings.total;
    expect(await total(`from=${today}&to=${today}`)).toBeGreaterThan(0);
    expect(await total('to=2020-01-01T00:00:00Z')).toBe(0);
  });
});

test('HEAD answers as GET does, without a body', async () => {
  const answer = await api.ask('HEAD', '/v1/admin/webhooks');
  expect([answer.status, answer.text]).toEqual([200, '']);
});
