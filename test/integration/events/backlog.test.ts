// The numbers of open, held and dead events and the age of the oldest open one, which the overview shows.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { receiveAt } from '../../support/fixtures/received-at.ts';
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
  const sentId = await context.send(webhook, { id: String((sent += 1)), text: 'x' });
  const { receivedAt } = fields;
  const _id = receivedAt ? await receiveAt(context.connection, sentId, receivedAt) : sentId;
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

test('the overview reads index keys, and one event', async () => {
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const sentCommands: Record<string, unknown>[] = [];
  watching.getClient().on('commandStarted', ({ command }) => sentCommands.push(command));
  const store = createStores(watching).events;
  await Promise.all([store.countBacklog(), store.oldestOpenAt()]);
  await watching.close();
  const found = sentCommands.filter((command) => command['aggregate'] === 'events');
  const hints = found.map(({ hint }) => String(hint));
  expect(hints.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'due_by_webhook',
    'due_by_webhook',
    'ended',
    'held',
  ]);
  const db = context.connection.getClient().db(context.connection.name);
  for (const { aggregate, pipeline, hint } of found) {
    const explain = { aggregate, pipeline, hint, cursor: {} };
    const plan = await db.command({ explain, verbosity: 'executionStats' });
    expect(JSON.stringify(plan)).not.toMatch(/"totalDocsExamined":[1-9]/);
  }
});
