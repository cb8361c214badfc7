// How many index entries an event costs: each is a write to the journal and a page in the cache.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('index_entries');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

/** Returns the names of the indexes that have an entry for the event. */
async function entriesOf(_id: string): Promise<string[]> {
  const events = collectionOf<EventRecord>(context.connection, 'events');
  const names: string[] = [];
  for (const { name = '', partialFilterExpression: where = {} } of await events.indexes()) {
    const isIn = await events.countDocuments({ $and: [{ _id }, where] } as never);
    if (isIn > 0) names.push(name);
  }
  return names.toSorted((a, b) => a.localeCompare(b));
}

test('an event with an id writes five index entries, and keeps four when it is done', async () => {
  const id = await context.send(webhook, { id: 'e1', lead: { id: 'p1' }, text: 'hello' });
  const kept = ['_id_', 'by_external_id', 'by_webhook', 'dedup'];
  expect(await entriesOf(id)).toEqual([...kept, 'due_by_webhook'].toSorted());
  await context.processEvents([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'done' });
  expect(await entriesOf(id)).toEqual(kept);
});

test('an event without an id writes four', async () => {
  const id = await context.send(webhook, { lead: { id: 'p2' }, text: 'hello' });
  expect(await entriesOf(id)).toEqual(['_id_', 'by_body', 'by_webhook', 'due_by_webhook']);
  await context.processEvents([id]);
  expect(await entriesOf(id)).toEqual(['_id_', 'by_body', 'by_webhook']);
});

test('a dead letter has three more entries than an event that is done', async () => {
  const id = await context.send(webhook, { id: 'e3' });
  await context.processEvents([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'dead' });
  expect(await entriesOf(id)).toEqual([
    '_id_',
    'by_external_id',
    'by_reason',
    'by_webhook',
    'dedup',
    'ended',
    'unprocessed_by_channel',
  ]);
});
