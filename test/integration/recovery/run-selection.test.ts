// How the events of a run are chosen and counted: by the keys of small indexes, or within a webhook or a time range.
import { previewRun } from '../../../src/api/events/runs.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { RunFilter } from '../../../src/domain/events/run.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('run_selection');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const replay = { kind: 'replay', remap: false } as const;

async function addMany(n: number): Promise<void> {
  const dead = { state: 'dead', reason: 'contact_unidentified', finishedAt: new Date(0) } as const;
  for (let count = 0; count < n; count += 1)
    await context.send(webhook, { id: `e${count}`, lead: { id: `p${count}` } });
  await collectionOf<EventRecord>(context.connection, 'events').updateMany(
    {},
    { $set: dead, $unset: { open: '' } },
  );
}

test.each<[string, RunFilter]>([
  ['a webhook', {}],
  ['states of all webhooks', { state: ['dead', 'ignored'] }],
])('the events of %s are chosen by index keys alone', async (_what, filter) => {
  await addMany(3);
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const commands: Record<string, unknown>[] = [];
  watching.getClient().on('commandStarted', ({ command }) => commands.push(command));
  const selection = { ...replay, filter: filter.state ? filter : { webhookId: [webhook._id] } };
  const chosen = { cursor: null, before: new Date(), limit: 2 };
  expect(await createStores(watching).events.select(selection, chosen)).toHaveLength(2);
  await watching.close();
  const { pipeline, hint } = commands.find((command) => 'aggregate' in command) ?? {};
  const explain = { aggregate: 'events', pipeline, hint, cursor: {} };
  const db = context.connection.getClient().db(context.connection.name);
  const plan = JSON.stringify(await db.command({ explain, verbosity: 'executionStats' }));
  expect(plan).toContain('"indexName":"ended"');
  expect(plan).toContain('"totalDocsExamined":0');
});

test.each(['replay', 'discard'] as const)(
  'a %s over events of all webhooks is refused where it may change done ones',
  async (kind) => {
    const remap = { kind, remap: kind === 'replay', filter: { eventType: ['x'] } };
    const asked = previewRun(context.stores, remap);
    if (kind === 'discard') expect(await asked).toMatchObject({ count: 0 });
    else await expect(asked).rejects.toMatchObject({ code: 'unbounded_query' });
    const within = { ...remap, filter: { ...remap.filter, webhookId: [webhook._id] } };
    expect(await previewRun(context.stores, within)).toMatchObject({ count: 0 });
  },
);

test('events of a webhook are counted without reading any', async () => {
  await addMany(3);
  const commands: Record<string, unknown>[] = [];
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  watching.getClient().on('commandStarted', ({ command }) => commands.push(command));
  const filter = { webhookId: [webhook._id] };
  const counted = await createStores(watching).events.countSelection({ ...replay, filter });
  expect(counted).toMatchObject({ count: 3, exact: true });
  await watching.close();
  const { find, filter: asked, projection } = commands.find((command) => 'find' in command) ?? {};
  const explain = { find, filter: asked, projection } as Record<string, unknown>;
  const db = context.connection.getClient().db(context.connection.name);
  const { executionStats } = await db.command({ explain, verbosity: 'executionStats' });
  expect(executionStats).toMatchObject({ nReturned: 3, totalDocsExamined: 0 });
});
