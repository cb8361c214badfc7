// Events of equal date rank by receipt, then by their place in the body; events without a readable date by their receipt.
import {
  leadMapping,
  createTestContext,
  type TestContext,
} from '../../support/context/test-context.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';

jest.setTimeout(120_000);

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('receipt-order');
  webhook = await context.addWebhook();
});
beforeEach(() => context.clear());
afterAll(() => context.close());

const at = '2026-01-06T12:00:00Z';
const lead = (n: number, over: object = {}) => ({
  id: `e${n}`,
  at,
  text: `line ${n}`,
  origin: `origin ${n}`,
  lead: { phone: '+55 11 90000-0001', name: `Name ${n}` },
  ...over,
});

const numbers = [1, 2, 3, 4, 5, 6];

async function only() {
  const { contacts } = await context.snapshot();
  expect(contacts).toHaveLength(1);
  const [{ registers, chats } = { registers: {}, chats: [] }] = contacts;
  const [chat] = chats;
  const texts = chat?.messages.map(({ content }) => (content as { message: string }).message);
  return { name: (registers as Record<string, string>).name, texts, opening: chat?.opening };
}

test.each([
  ['in the order of receipt', numbers],
  ['in the reverse order', numbers.toReversed()],
])('six events of one second, processed %s, keep the order of receipt', async (_how, order) => {
  const ids: string[] = [];
  for (const n of numbers) ids.push(await context.send(webhook, lead(n)));
  for (const n of order) await context.processEvents([ids[n - 1] ?? '']);
  expect(await only()).toMatchObject({
    name: 'Name 6',
    texts: numbers.map((n) => `line ${n}`),
    opening: { origin: 'origin 1' },
  });
});

test.each([
  ['no date', undefined],
  ['a date that cannot be read', 'sometime'],
])('an event with %s ranks by its receipt', async (_what, date) => {
  await context.processEvents([await context.send(webhook, lead(1))]);
  const late = await context.send(webhook, lead(2, { at: date }));
  await context.processEvents([late]);
  expect(await only()).toMatchObject({ name: 'Name 2', texts: ['line 1', 'line 2'] });
  await context.processEvents([
    await context.send(webhook, lead(3, { at: '2099-01-01T00:00:00Z' })),
  ]);
  await context.processEvents([await context.send(webhook, lead(4, { at: date }))]);
  expect((await only()).name).toBe('Name 3');
});

test('items of one body and of equal date keep their order', async () => {
  const split = await context.addWebhook({
    ...leadMapping,
    split: 'items',
    eventId: { path: 'id' },
  });
  await context.processEvents([await context.send(split, { items: numbers.map((n) => lead(n)) })]);
  const items = await context.connection.db
    ?.collection<{ _id: string; itemIndex: number }>('events')
    .find({ parentId: { $type: 'string' } })
    .sort({ _id: -1 })
    .toArray();
  expect(items?.map(({ itemIndex }) => itemIndex)).toEqual([5, 4, 3, 2, 1, 0]);
  for (const { _id } of items ?? []) await context.processEvents([_id]);
  expect(await only()).toMatchObject({ name: 'Name 6', texts: numbers.map((n) => `line ${n}`) });
});
