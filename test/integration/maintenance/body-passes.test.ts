// The pass over the events of a webhook that deletes bodies: it goes on where it ended, and begins again after a day.
import { firstIdAt, newId } from '../../../src/base/ids.ts';
import { startRetention } from '../../../src/maintenance/retention.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import {
  createTestContext,
  type TestContext,
  type Overrides,
} from '../../support/context/test-context.ts';
import { idReceivedAt } from '../../support/fixtures/received-at.ts';

const dayMs = 86_400_000;
const now = new Date('2026-06-01T03:00:00Z');
let api: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  api = await createTestContext('body_passes');
});
beforeEach(async () => {
  await api.clear();
  for (const name of ['webhooks', 'retention'])
    await collectionOf(api.connection, name).deleteMany({});
  webhook = await api.addWebhook();
});
afterAll(() => api.close());

type Visit = { _id: string; nextAt: Date; bodies?: unknown };
const visits = () => collectionOf<Visit>(api.connection, 'retention');
const events = () => collectionOf<EventRecord>(api.connection, 'events');
const found = (_id: string) => events().findOne({ _id });

function createRetention(over: Overrides = {}) {
  const clock = { now: () => now, elapsedMs: () => 0 };
  const options = { retentionDays: 90, auditRetentionDays: 0, intervalMs: 3_600_000 };
  return startRetention(api.newResources({ clock, ...over }), options);
}

/** Visits every webhook once, due or not. */
async function deleteExpired({ daysLater = 0 } = {}): Promise<void> {
  const later = new Date(+now + daysLater * dayMs);
  const retention = createRetention({ clock: { now: () => later, elapsedMs: () => 0 } });
  await visits().updateMany({}, { $set: { nextAt: new Date(0) } });
  await retention.tick();
  await retention.close();
}

/** An event that was received and ended the given number of days ago. */
async function ended(days: number): Promise<string> {
  const at = new Date(+now - days * dayMs);
  const event = await found(await api.send(webhook, { id: newId() }));
  if (!event) throw new Error('The event was not stored.');
  const { _id: sentId, open: _open, ...rest } = event;
  const _id = idReceivedAt(at, sentId);
  await events().deleteOne({ _id: sentId });
  await events().insertOne({ ...rest, _id, state: 'dead', receivedAt: at, finishedAt: at });
  return _id;
}

test('a body that was not due when a pass went by is deleted by the next pass, a day later', async () => {
  const late = await ended(100);
  await events().updateOne({ _id: late }, { $set: { finishedAt: now } });
  const old = await ended(91);
  await deleteExpired();
  expect((await found(old))?.delivery).toBeNull();
  await events().updateOne({ _id: late }, { $set: { finishedAt: new Date(0) } });
  const older = await ended(92);
  await deleteExpired();
  for (const id of [late, older]) expect((await found(id))?.delivery).not.toBeNull();
  await deleteExpired({ daysLater: 1 });
  for (const id of [late, older]) expect((await found(id))?.delivery).toBeNull();
});

test('a pass over more events than a batch looks at goes on where it was cut short', async () => {
  const id = await ended(91);
  const { dedupKeys: _keys, ...one } = (await found(id)) as EventRecord;
  const stripped = Array.from({ length: 2_400 }, () => {
    return { ...one, _id: idReceivedAt(one.receivedAt, newId()), delivery: null };
  });
  await events().insertMany(stripped);
  const last = await ended(90.5);
  let [elapsed, calls] = [0, 0];
  const clock = { now: () => now, elapsedMs: () => elapsed };
  const { retention } = api.stores;
  const stripBodies: typeof retention.stripBodies = (...asked) => {
    calls += 1;
    elapsed += calls < 3 ? 6_000 : 0;
    return retention.stripBodies(...asked);
  };
  const slow = createRetention({ retention: { ...retention, stripBodies }, clock });
  await slow.tick();
  await slow.close();
  expect(calls).toBe(3);
  for (const one of [id, last]) expect((await found(one))?.delivery).toBeNull();
  const { bodies } = (await visits().findOne({ _id: webhook._id })) ?? {};
  const to = firstIdAt(+now - 90 * dayMs);
  expect(bodies).toEqual({ startedAt: now, to, isComplete: true });
});

test('due events are read in the order of an index, no more than a batch looks at', async () => {
  const watching = await connectMongo(`${api.url}&monitorCommands=true`);
  const sent: Record<string, unknown>[] = [];
  watching.getClient().on('commandStarted', ({ command }) => sent.push(command));
  const { retention } = createStores(watching);
  await retention.stripBodies(webhook._id, { before: now, from: '' });
  await retention.deleteEvents(webhook._id, { before: now, from: '' });
  await watching.close();
  const reads = sent.filter((command) => command['find'] === 'events');
  expect(reads).toHaveLength(3);
  const db = api.connection.getClient().db(api.connection.name);
  for (const { find, filter, sort, limit, hint } of reads) {
    const plan = await db.command({ explain: { find, filter, sort, limit, hint } });
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('by_webhook');
    expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
  }
});
