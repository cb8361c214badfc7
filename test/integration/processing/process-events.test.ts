import { connectMongo } from '../../../src/store/db/connection.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('process');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const lead = (id: string, over: object = {}, more: object = {}) => ({
  id,
  type: 'lead.created',
  at: '2026-01-06T12:00:00Z',
  text: `hello ${id}`,
  lead: { name: 'Ana Exemplo', phone: '+55 11 90000-0001', ...over },
  ...more,
});

test('a lead becomes a contact, an open chat with its context, and a message', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(
    webhook,
    lead(
      'e1',
      { city: 'Recife', email: 'Ana@Example.com' },
      { origin: 'google', label: 'Lead', sector: 'Vendas' },
    ),
  );
  await context.processEvents([id]);
  expect(await context.snapshot()).toEqual({
    contacts: [
      {
        registers: expect.objectContaining({
          name: 'Ana Exemplo',
          phone: '+5511900000001',
          email: 'ana@example.com',
        }),
        fields: { city: 'Recife' },
        chats: [
          {
            opening: {
              date: new Date('2026-01-06T12:00:00Z'),
              origin: 'google',
              campaign: null,
              fields: [],
              sector: 'Vendas',
            },
            labels: ['Lead'],
            lastMessageAt: new Date('2026-01-06T12:00:00Z'),
            messages: [
              {
                content: { type: 'text', message: 'hello e1' },
                date: new Date('2026-01-06T12:00:00Z'),
              },
            ],
          },
        ],
      },
    ],
    messages: 1,
    tombstones: 0,
    conflicts: 0,
  });
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({
    state: 'done',
    attempts: 1,
    eventType: 'lead.created',
    problems: [],
  });
  expect(event?.timeline.map(({ state }) => state)).toEqual(['received', 'done']);
  expect(event?.timeline[1]).toMatchObject({
    worker: expect.any(String),
    startedAt: expect.any(Date),
  });
  expect(event).not.toHaveProperty('open');
  expect(await listSets(context.connection)).toEqual([]);
});

test('the same events again change nothing', async () => {
  const webhook = await context.addWebhook();
  const ids = [await context.send(webhook, lead('e1')), await context.send(webhook, lead('e2'))];
  await context.processEvents(ids);
  const before = await context.snapshot();
  await context.processEvents(ids);
  expect(await context.snapshot()).toEqual(before);
  expect(before).toMatchObject({ messages: 2, conflicts: 0 });
  expect(before.contacts).toHaveLength(1);
});

test('a set of a hundred people takes the same round trips as a set of one', async () => {
  const webhook = await context.addWebhook();
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const commands: string[] = [];
  // A worker reads these once in some seconds.
  const definitions = new Set(['webhooks', 'channels', 'mappings']);
  watching.getClient().on('commandStarted', ({ commandName, command }) => {
    if (!definitions.has(String(command[commandName]))) commands.push(commandName);
  });
  const process = context.newProcessing({ stores: createStores(watching) });
  async function countFor(ids: readonly string[]): Promise<number> {
    commands.length = 0;
    await process(ids);
    return commands.length;
  }
  const person = (n: number) => ({ phone: `+55 11 9${10_000_000 + n}` });
  const [warm, one, ...hundred] = await Promise.all(
    Array.from({ length: 102 }, (_, n) => context.send(webhook, lead(`h${n}`, person(n)))),
  );
  await process([warm ?? '']);
  const forOne = await countFor([one ?? '']);
  const forHundred = await countFor(hundred);
  await watching.close();
  expect(forOne).toBeGreaterThan(4);
  expect(forOne).toBeLessThanOrEqual(11);
  expect(forHundred).toBe(forOne);
  expect((await context.snapshot()).messages).toBe(102);
});

test('an event without an identity is dead with its reason, and the others of its set are done', async () => {
  const webhook = await context.addWebhook();
  const unidentified = await context.send(webhook, { id: 'x', text: 'hello' });
  const ana = await context.send(webhook, lead('e1'));
  await context.processEvents([unidentified, ana]);
  expect(await context.stores.events.get(unidentified)).toMatchObject({
    state: 'dead',
    reason: 'contact_unidentified',
  });
  expect(await context.stores.events.get(ana)).toMatchObject({ state: 'done' });
});

test('a field keeps the value of the latest event, in any order of receipt', async () => {
  const webhook = await context.addWebhook();
  const newer = lead('new', { name: 'Ana Nova' }, { at: '2026-02-01T00:00:00Z' });
  const older = lead('old', { name: 'Ana Velha', city: 'Olinda' }, { at: '2026-01-01T00:00:00Z' });
  await context.processEvents([await context.send(webhook, newer)]);
  await context.processEvents([await context.send(webhook, older)]);
  expect((await context.snapshot()).contacts[0]).toMatchObject({
    registers: { name: 'Ana Nova' },
    fields: { city: 'Olinda' },
  });
});

test('values that look like expressions are stored unchanged', async () => {
  const webhook = await context.addWebhook();
  const odd = lead('e1', { name: '$name', city: '$$ROOT' }, { origin: '$origin', text: '$text' });
  await context.processEvents([await context.send(webhook, odd)]);
  const [contact] = (await context.snapshot()).contacts;
  expect(contact).toMatchObject({ registers: { name: '$name' }, fields: { city: '$$ROOT' } });
  expect(contact?.chats[0]).toMatchObject({
    opening: { origin: '$origin' },
    messages: [{ content: { message: '$text' } }],
  });
});

test('a Brazilian mobile with and without the ninth digit is one person', async () => {
  const webhook = await context.addWebhook();
  const ids = [
    await context.send(webhook, lead('e1', { phone: '+55 11 98888-7777' })),
    await context.send(webhook, lead('e2', { phone: '+55 11 8888-7777' })),
  ];
  await context.processEvents(ids);
  expect((await context.snapshot()).contacts).toHaveLength(1);
});

test('an external id means something only within its webhook', async () => {
  const [a, b] = [await context.addWebhook(), await context.addWebhook()];
  const payload = {
    id: 'e',
    at: '2026-01-06T12:00:00Z',
    text: 'x',
    lead: { id: '123', name: 'N' },
  };
  await context.processEvents([await context.send(a, payload), await context.send(b, payload)]);
  expect((await context.snapshot()).contacts).toHaveLength(2);
});

test('concurrent workers with one new person create one contact and one chat', async () => {
  const webhook = await context.addWebhook();
  const sends = Array.from({ length: 24 }, (_, n) => {
    const person = { phone: '+55 11 90000-0001', email: 'ana@example.com' };
    return context.send(webhook, lead(`e${n}`, person));
  });
  const ids = await Promise.all(sends);
  const workers = Array.from({ length: 6 }, () => context.newProcessing());
  await Promise.all(workers.map((work, n) => work(ids.filter((_, i) => i % 6 === n))));
  const after = await context.snapshot();
  expect(after.contacts).toHaveLength(1);
  expect(after.contacts[0]?.chats).toHaveLength(1);
  expect(after).toMatchObject({ messages: 24, conflicts: 0 });
});

test('an event that several workers take at once is done once', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  await Promise.all(Array.from({ length: 8 }, () => context.newProcessing()([id])));
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'done',
    attempts: 1,
    fence: 1,
  });
  expect(await context.snapshot()).toMatchObject({ messages: 1, conflicts: 0 });
  expect(await listSets(context.connection)).toEqual([]);
});
