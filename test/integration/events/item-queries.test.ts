// Queries for the items of a body use their index, however many events there are.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { type Connection, connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

let context: TestContext;
let watching: Connection;
beforeAll(async () => {
  context = await createTestContext('items');
  watching = await connectMongo(`${context.url}&monitorCommands=true`);
});
afterAll(async () => {
  await watching.close();
  await context.close();
});

const page = { skip: 0, limit: 10, order: { field: 'receivedAt', direction: -1 } } as const;

test.each(['findSplitBodies', 'list'] as const)('%s reads no other events', async (call) => {
  const webhook = await context.addWebhook({ ...leadMapping, split: 'items' });
  const items = Array.from({ length: 20 }, (_, n) => ({ id: `${call}-${n}` }));
  const [one, other] = [
    await context.send(webhook, { items }),
    await context.send(webhook, { items: [1] }),
  ];
  await context.processEvents([one]);
  await context.processEvents([other]);
  const asked: object[] = [];
  watching.getClient().on('commandStarted', ({ command }) => {
    const filter = command.filter ?? command.query;
    const [first] = filter?.$and ?? [filter];
    if (first?.parentId) asked.push(first);
  });
  const { events } = createStores(watching);
  if (call === 'findSplitBodies')
    expect(await events.findSplitBodies([other])).toEqual(new Set([other]));
  else {
    const filter = { parentId: [other], parents: true };
    expect((await events.search(filter, page)).results).toHaveLength(1);
  }
  const collection = collectionOf<EventRecord>(context.connection, 'events');
  const { executionStats } = await collection.find(asked[0] ?? {}).explain();
  expect(executionStats.totalDocsExamined).toBe(1);
});
