// The verification of a restored database finds events whose messages are missing, also among old events.
import { verifyDatabase } from '../../../src/api/installation/database.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { idReceivedAt, receiveAt } from '../../support/fixtures/received-at.ts';
import { apiContextOf } from '../../support/context/api-context.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
let webhook: Webhook;
let ids: string[] = [];

const count = 120;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const hours = (n: number) => new Date(start + n * hourMs);

/** Events are finished once an hour. */
beforeAll(async () => {
  context = await createTestContext('verify_effects');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.clear();
  ids = [];
  for (let n = 0; n < count; n += 1) {
    const lead = { id: `e${n}`, text: 'hello', lead: { id: `p${n}` } };
    ids.push(await receiveAt(context.connection, await context.send(webhook, lead), hours(n)));
  }
  for (let n = 0; n < count; n += 40) await context.processEvents(ids.slice(n, n + 40));
});

let probes = 0;
async function verify() {
  const { stores } = context;
  const page: typeof stores.events.page = (filter, options) => {
    probes += 1;
    return stores.events.page(filter, options);
  };
  const ctx = apiContextOf(context, { events: { ...stores.events, page } });
  const { findings } = await verifyDatabase(ctx, { records: true });
  return findings.find(({ check }) => check === 'events');
}

const lose = (from: number, to: number) =>
  collectionOf(context.connection, 'messages').deleteMany({ _id: { $in: ids.slice(from, to) } });

test('events that have their effects are no problem', async () => {
  expect(await verify()).toMatchObject({
    result: 'ok',
    text: { code: 'finding.events', values: { finished: count, whole: count } },
  });
});

test.each([0, 30, 69])('the loss of the message of event %i is found', async (n) => {
  await lose(n, n + 1);
  expect(await verify()).toMatchObject({
    result: 'problem',
    advice: 'advice.events',
  });
});

const copyId = (at: Date, n: number): string => idReceivedAt(at, `copy-${n}`);

/** Copies the events to others of the given time, and their messages with them. */
async function copyTo(time: (n: number) => Date, copies: number): Promise<void> {
  for (const name of ['events', 'messages']) {
    const collection = collectionOf(context.connection, name);
    const found = await collection.find({ _id: { $in: ids } }).toArray();
    const documents = Array.from({ length: copies }, (_value, n) => {
      const { dedupKeys: _keys, ...one } = found[n % count] as Record<string, unknown>;
      const _id = copyId(time(n), n);
      const ofEvent = { receivedAt: time(n) };
      return { ...one, _id, ...(name === 'events' && ofEvent) };
    });
    await collection.insertMany(documents as never);
  }
}

test('a burst of many events is sampled over its whole time, and the probes are bounded', async () => {
  const [minuteMs, copies] = [60_000, 3_000];
  // Of a year, one hour has most of the events.
  const time = (n: number) => new Date(Math.floor(+hours(24 * 365) + (n * 60 * minuteMs) / copies));
  await copyTo(time, copies);
  probes = 0;
  expect(await verify()).toMatchObject({ result: 'ok' });
  expect(probes).toBeLessThanOrEqual(310 + 2);
  const lost = Array.from({ length: 100 }, (_value, n) => copyId(time(1_000 + n), 1_000 + n));
  await collectionOf(context.connection, 'messages').deleteMany({ _id: { $in: lost } });
  expect(await verify()).toMatchObject({ result: 'problem' });
});
