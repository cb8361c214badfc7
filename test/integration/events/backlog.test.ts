// The numbers of open, held and dead events and the age of the oldest open one, which the overview shows.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf, connectMongo } from '../../../src/store/db/connection.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('backlog');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const events = () => collectionOf<EventRecord>(context.connection, 'events');
let sent = 0;

async function anEventThatIs(fields: Partial<EventRecord>): Promise<void> {
  const _id = await context.send(webhook, { id: String((sent += 1)), text: 'x' });
  const isOpen = ['received', 'processing', 'waiting'].includes(fields.state ?? 'received');
  await events().updateOne(
    { _id },
    { $set: { webhookId: webhook._id, ...fields }, ...(!isOpen && { $unset: { open: '' } }) },
  );
}

test('open, held and dead events are counted, and the oldest open one is neither held nor ended', async () => {
  const oldest = new Date('2026-01-02T00:00:00Z');
  await anEventThatIs({});
  await anEventThatIs({ state: 'processing', receivedAt: new Date('2026-01-03T00:00:00Z') });
  await anEventThatIs({ state: 'waiting', receivedAt: oldest });
  await anEventThatIs({ state: 'held', receivedAt: new Date(0) });
  await anEventThatIs({ state: 'dead', receivedAt: new Date(0), finishedAt: new Date() });
  await anEventThatIs({ state: 'dead', receivedAt: new Date(0), finishedAt: new Date() });
  await anEventThatIs({ state: 'done', receivedAt: new Date(0), finishedAt: new Date() });
  const store = context.stores.events;
  expect(await store.countBacklog()).toEqual({ open: 3, held: 1, dead: 2 });
  expect(await store.oldestOpenAt()).toEqual(oldest);
});

test('the queries of the overview name their indexes', async () => {
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const hints: unknown[] = [];
  watching.getClient().on('commandStarted', ({ command }) => hints.push(command['hint']));
  const store = createStores(watching).events;
  await Promise.all([store.countBacklog(), store.oldestOpenAt()]);
  await watching.close();
  expect(hints).toEqual(expect.arrayContaining(['due_by_webhook', 'held', 'ended', 'by_state']));
});
