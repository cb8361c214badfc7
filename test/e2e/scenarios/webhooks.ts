// Administrator scenarios about webhooks.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { repository } from '../../../scripts/lib/paths.mjs';
import { adminToken } from '../../support/processes/roles.ts';
import { waitForValue } from '../../support/processes/client.ts';
import type { Any } from '../../support/processes/scenario.ts';
import { scenario } from './shared-scenario.ts';

const person = { id: 'L-1', name: 'Ana Souza', phone: '(11) 90000-0001', email: 'ana@example.com' };
const crm = (n: number | string, lead: object = person, message = `Hello ${n}`) => ({
  event: 'lead.created',
  event_id: `evt-${n}`,
  created_at: '2026-01-06T12:00:00-03:00',
  lead,
  message,
});
const mapping = {
  eventId: { path: 'event_id' },
  eventDate: { path: 'created_at', transforms: ['date'] },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone', transforms: ['phone'], required: true },
    email: { path: 'lead.email', transforms: ['email'] },
  },
  message: { text: { path: 'message' } },
};

test('a producer is set up from nothing by doing what setup.next says, and its first lead is a contact, a chat and a message', async () => {
  const { get, post, list } = scenario;
  const channel = await post('/v1/admin/channels', { name: 'Front desk', kind: 'inbox' });
  const made = await post('/v1/admin/webhooks', { name: 'CRM', channelId: channel.id });
  const hook = `/v1/admin/webhooks/${made.id}`;
  const seen: string[] = [];

  const steps: Record<string, () => Promise<unknown>> = {
    sample: async () => {
      const { data } = await scenario.deliver(made.url, crm('sample'));
      expect(data).toEqual({ success: true, mode: 'sample' });
    },
    mapping: async () => {
      const [sample] = (await list(`${hook}/samples`)).results;
      const suggested = await post(`${hook}/mappings/suggest`, { sampleIds: [sample.id] });
      const { version } = await post(`${hook}/mappings`, { mapping: suggested.mapping });
      const payload = { body: sample.body };
      const { items } = await post(`${hook}/mappings/preview`, { version, payload });
      expect(items).toMatchObject([
        {
          eventId: 'evt-sample',
          contact: { name: 'Ana Souza', phone: '+5511900000001', email: 'ana@example.com' },
          message: { text: 'Hello sample' },
          failure: null,
        },
      ]);
    },
    activation: async () => {
      await tryOut(hook, channel.id);
      await post(`${hook}/activate`);
    },
  };
  for (let { next } = made.setup; next !== null; { next } = (await get(hook)).setup) {
    seen.push(next);
    await steps[next]?.();
  }
  expect(seen).toEqual(['sample', 'mapping', 'activation']);
  expect(await get(hook)).toMatchObject({ status: 'active', activeVersion: 1 });

  const { state, effects } = await scenario.lead(made.url, crm(1));
  expect(state).toBe('done');
  const chats = await list(`/v1/chat?status=ura_webhook&filter_worker_id=${channel.id}`);
  expect(chats.results).toMatchObject([{ chat_id: effects.chatId, name: 'Ana Souza' }]);
  const messages = await list(`/v1/chat/${effects.chatId}`);
  expect(messages.results).toMatchObject([
    { message_id: effects.messageId, content: { message: 'Hello 1' } },
  ]);
  expect(await get(`/v1/chat/contacts/${effects.contactId}`)).toMatchObject({
    phone_ddi: '55',
    phone: '11900000001',
  });
});

/** Sends a test event with the sample, checks it, and deletes it with its results. */
async function tryOut(hook: string, channelId: string): Promise<void> {
  const { get, post, list } = scenario;
  const [sample] = (await list(`${hook}/samples`)).results;
  const { eventId } = await post(`${hook}/test-events`, { sampleId: sample.id });
  const tried = await waitForValue('the test has ended', async () => {
    const event = await get(`${hook}/test-events/${eventId}`);
    return event.finishedAt === null ? undefined : event;
  });
  expect(tried).toMatchObject({ state: 'done', problems: [] });
  const chats = `/v1/chat?status=my_chats&filter_worker_id=${channelId}`;
  const chatIds = async (query = '') =>
    (await list(chats + query)).results.map((one) => one.chat_id);
  expect(await chatIds()).not.toContain(tried.effects.chatId);
  expect(await chatIds('&test=true')).toContain(tried.effects.chatId);
  await scenario.remove(`${hook}/test-events/${eventId}`);
  expect(await chatIds('&test=true')).not.toContain(tried.effects.chatId);
  expect((await scenario.ask('GET', `/v1/chat/contacts/${tried.effects.contactId}`)).status).toBe(
    404,
  );
}

test('a key is rotated while senders post: what was acknowledged is there once, and the old key ends when it is revoked', async () => {
  const { get, post, list } = scenario;
  const old = await scenario.addWebhook('Rotated', mapping);
  const hook = `/v1/admin/webhooks/${old.id}`;
  const acknowledged = new Map<string, string>();
  const refused: unknown[] = [];
  const urls = [old.url, old.url, old.url];
  let isOver = false;
  let sent = 0;
  const sentBy = [0, 0, 0];

  async function send(sender: number): Promise<void> {
    while (!isOver) {
      await pause(100);
      sent += 1;
      const payload = crm(`r${sent}`);
      const { status, data } = await scenario.deliver(urls[sender] ?? '', payload);
      sentBy[sender] = (sentBy[sender] ?? 0) + 1;
      if (status === 200) acknowledged.set(payload.event_id, String(data.eventId));
      else refused.push(data);
    }
  }
  const uses = async () => {
    const keys = (await list(`${hook}/keys?sort_by=createdAt`)).results;
    return keys.map((key: Any) => key.usesSinceRotation > 0);
  };

  const senders = urls.map((_url, sender) => send(sender));
  await waitForValue('events come with the old key', () =>
    acknowledged.size > 5 ? true : undefined,
  );
  const made = await post(`${hook}/keys/rotate`, { overlapHours: 1 });
  expect(made.url).not.toBe(old.url);
  urls[0] = made.url;
  await waitForValue('both keys are in use, as the meter says', async () =>
    (await uses()).every(Boolean) ? true : undefined,
  );
  urls.fill(made.url);
  // Once each sender has got two further answers, its requests with the old key are over.
  const before = [...sentBy];
  await waitForValue('nobody posts with the old key', () =>
    sentBy.every((count, sender) => count > (before[sender] ?? 0) + 1) ? true : undefined,
  );
  const [first] = (await list(`${hook}/keys?sort_by=createdAt`)).results;
  await scenario.remove(`${hook}/keys/${first.id}`);
  expect(await scenario.deliver(old.url, crm('late'))).toMatchObject({
    status: 401,
    data: { code: 'invalid_key' },
  });
  isOver = true;
  await Promise.all(senders);

  expect(refused).toEqual([]);
  const found = `/v1/admin/events?webhookId=${old.id}&per_page=200`;
  await waitForValue('all are done', async () =>
    (await list(`${found}&state=done`)).pagings.total === acknowledged.size ? true : undefined,
  );
  const events: Any[] = [];
  for (let page = await get(found); ;) {
    events.push(...page.results);
    if (page.pagings.next_cursor === null) break;
    page = await get(`${found}&cursor=${encodeURIComponent(page.pagings.next_cursor)}`);
  }
  const stored = events.map(({ externalId, id, deliveries }) => [externalId, id, deliveries]);
  const wanted = [...acknowledged].map(([externalId, id]) => [externalId, id, 1]);
  const inOrder = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  expect(inOrder(stored)).toEqual(inOrder(wanted));
});

test('a producer changes its payload: it shows, a new version is tried and scheduled, the dead go through again, and one call leads back', async () => {
  const { get, post, list } = scenario;
  const webhook = await scenario.addWebhook('Changing', mapping);
  const hook = `/v1/admin/webhooks/${webhook.id}`;
  const moved = { ...person, phone: undefined, phones: [{ number: '(11) 90000-0002' }] };
  const later = (n: number) => crm(`new-${n}`, { ...moved, id: `N-${n}` });
  const ids = async (payloads: unknown[]): Promise<string[]> => {
    const told = await Promise.all(payloads.map((one) => scenario.deliver(webhook.url, one)));
    return told.map(({ data }) => String(data.eventId));
  };

  const before = await ids(Array.from({ length: 3 }, (_, n) => crm(`old-${n}`)));
  await Promise.all(before.map((id) => scenario.settled(id)));
  const dead = await ids(Array.from({ length: 2 }, (_, n) => later(n)));
  await Promise.all(dead.map((id) => scenario.settled(id)));

  // It shows, with what to do about it. (Drift compares hours, and has tests of its own.)
  const [group] = (await list(`/v1/admin/dead-letters?webhookId=${webhook.id}`)).results;
  expect(group).toMatchObject({ reason: 'required_missing:contact.phone', count: 2 });

  // A sample of the new payload, a new version, its preview and its diff.
  const sample = await post(`${hook}/samples`, { eventId: group.exampleEventId });
  const phone = {
    first: [{ path: 'lead.phone' }, { path: 'lead.phones[0].number' }],
    transforms: ['phone'],
    required: true,
  };
  const improved = { ...mapping, contact: { ...mapping.contact, phone } };
  const { version, status } = await post(`${hook}/mappings`, { mapping: improved });
  expect([version, status]).toEqual([2, 'draft']);
  const preview = { version, payload: { body: sample.body } };
  expect((await post(`${hook}/mappings/preview`, preview)).items).toMatchObject([
    { contact: { phone: '+5511900000002' }, failure: null },
  ]);
  const { counts } = await post(`${hook}/mappings/diff`, { mapping: improved, last: 200 });
  expect(counts).toEqual({ same: 3, changed: 0, newlyFailing: 0, newlyPassing: 2 });
  await tryOut(hook, webhook.channelId);

  // An event keeps its mapping version, even if another is activated before it is processed.
  await post(`${hook}/pause`);
  const [held = ''] = await ids([crm('held')]);
  // On a busy machine the time may be over when it arrives.
  const planned = await waitForValue('the activation is planned', () =>
    post(`${hook}/mappings/2/activate`, { at: new Date(Date.now() + 5_000).toISOString() }),
  );
  expect(planned.schedule).toMatchObject({ version: 2 });
  await waitForValue('the schedule was carried out', async () =>
    (await get(hook)).activeVersion === 2 ? true : undefined,
  );
  await post(`${hook}/resume`);
  expect(await scenario.settled(held, ['done'])).toMatchObject({ mappingVersion: 1 });
  expect(await scenario.lead(webhook.url, later(90))).toMatchObject({
    state: 'done',
    mappingVersion: 2,
  });

  // Its health, and the dead once more.
  await waitForValue('the new version shows what it did', async () => {
    const { versions } = await get(`${hook}/mappings/health`);
    const second = versions.find((one: Any) => one.version === 2);
    return second?.done === 1 && second.dead === 0 ? true : undefined;
  });
  const order = { filter: { webhookId: webhook.id, state: 'dead' } };
  const tally = await post('/v1/admin/events/replay', { ...order, preview: true });
  expect(tally).toMatchObject({ count: 2, exact: true });
  await post('/v1/admin/events/replay', order);
  for (const id of dead) {
    expect(await scenario.settled(id, ['done'])).toMatchObject({ mappingVersion: 2, attempts: 1 });
  }

  // And back, in one call.
  expect(await post(`${hook}/rollback`)).toMatchObject({ activeVersion: 1, status: 'active' });
  expect(await scenario.lead(webhook.url, later(91))).toMatchObject({
    state: 'dead',
    mappingVersion: 1,
  });
});

test('two administrators edit at once: the second is told, reads again and succeeds; and what is sent twice is made once', async () => {
  const { id, channelId } = await scenario.addWebhook('Edited');
  const hook = `/v1/admin/webhooks/${id}`;
  const tag = async () => ({
    'if-match': (await scenario.ask('GET', hook)).headers.get('etag') ?? '',
  });
  const [anas, beas] = [await tag(), await tag()];
  expect((await scenario.patch(hook, { name: 'by Ana' }, anas)).status).toBe(200);
  expect(await scenario.patch(hook, { name: 'by Bea' }, beas)).toMatchObject({
    status: 412,
    data: { code: 'precondition_failed' },
  });
  expect((await scenario.get(hook)).name).toBe('by Ana');
  expect((await scenario.patch(hook, { name: 'by both' }, await tag())).status).toBe(200);

  const body = { name: 'Made once', channelId };
  const headers = { 'idempotency-key': 'a-key-that-nobody-guesses-4711' };
  const first = await scenario.ask('POST', '/v1/admin/webhooks', { body, headers });
  const again = await scenario.ask('POST', '/v1/admin/webhooks', { body, headers });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.data).toEqual(first.data);
  const found = await scenario.client.call('listWebhooks', {
    query: { name: ['Made once'] },
  });
  expect(found.results.map(({ id }) => id)).toEqual([first.data.id]);
});

test('a colleague whose token may too little is told so, sees what it may, and nothing of another webhook', async () => {
  const mine = await scenario.addWebhook('Mine');
  const other = await scenario.addWebhook('Not mine');
  const { token } = await scenario.post('/v1/admin/tokens', {
    name: 'A dashboard',
    scopes: ['viewer'],
    webhookIds: [mine.id],
  });
  const as = async (method: string, path: string, body?: unknown) => {
    const { status, data } = await scenario.ask(method, path, { token, body });
    return [status, data.code ?? null];
  };
  const hook = `/v1/admin/webhooks/${mine.id}`;
  expect(await as('GET', hook)).toEqual([200, null]);
  expect(await as('POST', `${hook}/pause`, {})).toEqual([403, 'forbidden']);
  expect(await as('GET', '/v1/chat?status=my_chats')).toEqual([403, 'forbidden']);
  expect(await as('GET', '/v1/admin/tokens')).toEqual([403, 'forbidden']);
  expect(await as('GET', `/v1/admin/webhooks/${other.id}`)).toEqual([404, 'not_found']);
  expect(await as('POST', mine.url, { a: 1 })).toEqual([200, null]);
  const { status } = await scenario.ask('POST', `/v1/webhook/${token}`, { body: {}, token: null });
  expect(status).toBe(401);
});

/** Runs the commands of a page. Returns the lines that they print. */
async function runCommandsOf(page: string): Promise<string[]> {
  const text = readFileSync(join(repository, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const { stdout } = await promisify(execFile)('bash', ['-euc', blocks.join('\n')], {
    env: { ...process.env, INLET_URL: scenario.url, INLET_TOKEN: adminToken },
    timeout: 200_000,
  });
  expect(stdout).not.toMatch(/^undefined$/m);
  return stdout.split('\n');
}

test('the commands of the conversations API can be pasted as they stand', async () => {
  const lines = await runCommandsOf('conversations.md');
  expect(lines).toEqual([
    expect.stringMatching(/^\d+$/),
    'true',
    'Recife',
    'operator',
    'Good morning, Ana!',
    'name;value',
    'Bia',
    '1',
    'queue',
    'closed',
    '1',
    '',
  ]);
});

test('the page of tasks can be pasted as it stands', async () => {
  const lines = await runCommandsOf('admin-api.md');
  for (const line of [
    'sample',
    'mapping',
    'active',
    'needs_split',
    'running',
    'precondition_failed',
  ]) {
    expect(lines).toContain(line);
  }
});
