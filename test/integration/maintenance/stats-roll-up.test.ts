/** Counts by webhook over flushes and roll-ups that end anywhere, late counts, and the borders of hours and days. */
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { newId } from '../../../src/base/ids.ts';
import { allWebhooks, bucketStartOf, unitMs } from '../../../src/domain/stats.ts';
import { startStatsCounter } from '../../../src/maintenance/stats-counter.ts';
import { startStatsRollUp } from '../../../src/maintenance/stats-roll-up.ts';
import {
  closeHours,
  findOpenHours,
  type StatsDelta,
} from '../../../src/store/counters/hour-stats.ts';
import { databaseOf } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createElection } from '../../../src/store/db/lock.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('stats_roll_up');
});
beforeEach(async () => {
  for (const name of collections) await collectionOf(context.connection, name).deleteMany({});
});
afterAll(() => context.close());

const collections = ['hour_stats', 'stats'];
const { minute: minuteMs, hour: hourMs, day: dayMs } = unitMs;
/** Not older: the database deletes the minutes of rolled-up hours after two days. */
const midnight = bucketStartOf('day', new Date());
const at = (ms: number) => new Date(+midnight + ms);

function clockAt(first: Date) {
  let now = first;
  return { now: () => now, elapsedMs: () => 0, set: (next: Date) => void (now = next) };
}

const aCounter = (clock: ReturnType<typeof clockAt>) =>
  startStatsCounter({ ...context.stores, clock, logger: silentLogger(), intervalMs: hourMs });

const received = (webhookId: string, minute: Date, count = 1): StatsDelta => ({
  webhookId,
  minute,
  counts: { received: count },
  latency: new Map(),
  lastAt: minute,
});

/** Everything that readers show. */
async function figures(webhookIds: readonly string[]) {
  const { stats, noticeObservations } = context.stores;
  const range = { from: at(-dayMs), to: at(dayMs) };
  const all = [...webhookIds, allWebhooks];
  const series = (ids: readonly string[], unit: 'minute' | 'hour' | 'day') =>
    stats.series(ids, { unit, ...range });
  const recent = await noticeObservations.countRecent(at(-hourMs));
  return {
    minutes: await series(webhookIds, 'minute'),
    hours: await series(webhookIds, 'hour'),
    days: await series(webhookIds, 'day'),
    each: await stats.seriesOfEach(webhookIds, { unit: 'hour', ...range }),
    allDays: await stats.series(null, { unit: 'day', ...range }),
    lifetimes: await stats.lifetimes(all),
    busiest: await stats.busiest([at(0), at(-dayMs)], { limit: 1 }),
    recent: recent.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : 1)),
    hoursWithEvents: await Promise.all(
      webhookIds.map((id) => noticeObservations.hoursWithEvents(id, range)),
    ),
  };
}

/** Two webhooks around midnight; both have an hour before and an hour after it. */
async function countAroundMidnight() {
  const [quiet, busy] = [newId(), newId()];
  const clock = clockAt(at(-1_000));
  const counter = aCounter(clock);
  for (const id of [quiet, busy, busy]) counter.count(id, 'received');
  counter.count(busy, 'done', { tookMs: 100 });
  clock.set(at(0));
  for (const id of [quiet, busy, busy]) counter.count(id, 'received');
  counter.count(quiet, 'dead', { tookMs: 2_000 });
  clock.set(at(hourMs - 1));
  counter.count(busy, 'received');
  await counter.close();
  return { quiet, busy, ids: [quiet, busy] };
}

async function rollUpAll(before = at(dayMs)): Promise<void> {
  while (await context.stores.stats.rollUp({ before }));
}

const openHours = () =>
  collectionOf(context.connection, 'hour_stats').countDocuments({ open: true });

test('readers show the same figures before and after a roll-up, across the borders of hour and day', async () => {
  const { quiet, busy, ids } = await countAroundMidnight();
  const before = await figures(ids);
  const sums = (buckets: { received: number }[]) => buckets.map((one) => one.received);
  expect(sums(before.days)).toEqual([3, 4]);
  expect(sums(before.hours).slice(22, 26)).toEqual([0, 3, 4, 0]);
  expect(sums(before.minutes).slice(1_438, 1_442)).toEqual([0, 3, 3, 0]);
  expect(before.lifetimes).toEqual([
    expect.objectContaining({ webhookId: quiet, received: 2, dead: 1, lastAt: at(0) }),
    expect.objectContaining({ webhookId: busy, received: 5, done: 1, lastAt: at(hourMs - 1) }),
    expect.objectContaining({ webhookId: allWebhooks, received: 7, done: 1, dead: 1 }),
  ]);
  expect(before.busiest).toEqual([busy]);
  expect(before.each.map(sums).map((one) => one.slice(22, 26))).toEqual([
    [0, 1, 1, 0],
    [0, 2, 3, 0],
  ]);
  await rollUpAll();
  expect(await openHours()).toBe(0);
  expect(await figures(ids)).toEqual(before);
  await rollUpAll();
  expect(await figures(ids)).toEqual(before);
});

/** The database refuses the documents, as if the roll-up died before it wrote them. */
async function withRefusal(collection: string, validator: object, work: () => Promise<void>) {
  const db = databaseOf(context.connection);
  await db.command({ collMod: collection, validator, validationAction: 'error' });
  try {
    await work();
  } finally {
    await db.command({ collMod: collection, validator: {} });
  }
}

test.each([
  ['its hours', 'stats', { unit: { $ne: 'hour' } }],
  ['its days', 'stats', { unit: { $ne: 'day' } }],
  ['its lifetimes', 'stats', { unit: { $ne: 'ever' } }],
  ['one of its webhooks', 'stats', { webhookId: allWebhooks }],
  ['the end of hours', 'hour_stats', { open: true }],
])(
  'a roll-up that dies before it has written %s counts nothing twice and leaves nothing out',
  async (_what, collection, validator) => {
    const { ids } = await countAroundMidnight();
    const before = await figures(ids);
    await withRefusal(collection, validator, async () => {
      await expect(context.stores.stats.rollUp({ before: at(dayMs) })).rejects.toThrow(
        'failed with code 121',
      );
      expect(await figures(ids)).toEqual(before);
      await expect(context.stores.stats.rollUp({ before: at(dayMs) })).rejects.toThrow(
        'failed with code 121',
      );
    });
    expect(await figures(ids)).toEqual(before);
    await rollUpAll();
    expect(await openHours()).toBe(0);
    expect(await figures(ids)).toEqual(before);
  },
);

test('counts that come after the roll-up of their hour are shown at once, and rolled up by the next', async () => {
  const webhookId = newId();
  const { stats } = context.stores;
  await stats.add([received(webhookId, at(0), 3), received(webhookId, at(hourMs), 5)]);
  await rollUpAll();
  await stats.add([received(webhookId, at(minuteMs), 4)]);
  const late = await figures([webhookId]);
  expect(late.hours.slice(24, 26).map((one) => one.received)).toEqual([7, 5]);
  expect(late.days.map((one) => one.received)).toEqual([0, 12]);
  expect(late.lifetimes).toMatchObject([{ received: 12, lastAt: at(hourMs) }]);
  await rollUpAll();
  expect(await figures([webhookId])).toEqual(late);
});

test('an hour to which counts were added since the roll-up read it stays open', async () => {
  const webhookId = newId();
  const { stats } = context.stores;
  await stats.add([received(webhookId, at(0))]);
  const range = { from: at(0), to: at(hourMs), limit: 10 };
  const stale = await findOpenHours(context.connection, range);
  await stats.add([received(webhookId, at(0))]);
  await closeHours(context.connection, stale);
  expect(await openHours()).toBe(1);
  await closeHours(context.connection, await findOpenHours(context.connection, range));
  expect(await openHours()).toBe(0);
});

test('several roll-ups at once, beside writes of the same hours, end with exact counts', async () => {
  const ids = Array.from({ length: 30 }, () => newId());
  const { stats } = context.stores;
  const write = () => stats.add(ids.map((id) => received(id, at(0))));
  const rollUp = () => stats.rollUp({ before: at(dayMs) });
  await write();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([rollUp(), write(), rollUp(), write(), rollUp()]);
    const shown = await Promise.all([stats.lifetimes(ids), rollUp()]);
    expect(shown[0].map((one) => one.received)).toEqual(ids.map(() => 3 + 2 * round));
  }
  await rollUpAll();
  const lifetimes = await stats.lifetimes(ids);
  expect(lifetimes.map((one) => one.received)).toEqual(ids.map(() => 21));
});

test('a batch of a roll-up is bounded', async () => {
  const ids = Array.from({ length: 250 }, () => newId());
  await context.stores.stats.add(ids.map((id) => received(id, at(0))));
  const left: unknown[] = [];
  for (let batch = 0; batch < 3; batch += 1) {
    left.push([await context.stores.stats.rollUp({ before: at(hourMs) }), await openHours()]);
  }
  expect(left).toEqual([
    [true, 150],
    [true, 50],
    [false, 0],
  ]);
});

test('a flush of 10,000 webhooks is one document each, in bounded commands', async () => {
  const sizes: number[] = [];
  const { stats } = context.stores;
  const add: typeof stats.add = (deltas) => {
    sizes.push(new Set(deltas.map(({ webhookId }) => webhookId)).size);
    return stats.add(deltas);
  };
  const clock = clockAt(at(minuteMs - 1));
  const counter = startStatsCounter({
    stats: { ...stats, add },
    clock,
    logger: silentLogger(),
    intervalMs: hourMs,
  });
  const ids = Array.from({ length: 10_000 }, (_none, index) => `webhook-${index}`);
  for (const id of ids) counter.count(id, 'received');
  clock.set(at(minuteMs));
  for (const id of ids) counter.count(id, 'received');
  await counter.close();
  expect(Math.max(...sizes)).toBe(500);
  expect(sizes).toHaveLength(21);
  expect(await collectionOf(context.connection, 'hour_stats').countDocuments({})).toBe(10_001);
  expect(await stats.lifetimes([allWebhooks])).toMatchObject([{ received: 20_000 }]);
});

test('the minutes of a webhook that wait for a write are bounded, and its hour has all counts', async () => {
  const written: StatsDelta[] = [];
  const clock = clockAt(at(0));
  const add = async (deltas: readonly StatsDelta[]) => void written.push(...deltas);
  const counter = startStatsCounter({ stats: { add }, clock, logger: silentLogger() });
  for (let minute = 0; minute < 30; minute += 1) {
    clock.set(at(minute * minuteMs));
    counter.count('some', 'received');
  }
  await counter.close();
  const own = written.filter(({ webhookId }) => webhookId === 'some');
  expect(own.map(({ counts }) => counts.received)).toEqual([1, 1, 1, 1, 26]);
  expect(own.at(-1)?.lastAt).toEqual(at(29 * minuteMs));
});

test('the lifetime keeps the counts of days that are older than all open hours, and adds them once', async () => {
  const webhookId = newId();
  const { stats } = context.stores;
  const rollUp = (before: Date) => stats.rollUp({ before });
  await stats.add([received(webhookId, at(0), 3), received(webhookId, at(dayMs), 4)]);
  await rollUp(at(dayMs));
  await rollUp(at(2 * dayMs));
  for (const day of [40, 41]) {
    await stats.add([received(webhookId, at(day * dayMs))]);
    await Promise.all([1, 2, 3].map(() => rollUp(at((day + 1) * dayMs))));
    await rollUp(at((day + 1) * dayMs));
  }
  expect(await stats.lifetimes([webhookId])).toMatchObject([{ received: 9 }]);
  const stored = await collectionOf(context.connection, 'stats').findOne({
    _id: `${webhookId}:ever:0`,
  });
  const day = +midnight / dayMs;
  expect(stored).toMatchObject({
    received: 7,
    days: { [day + 40]: { received: 1 }, [day + 41]: { received: 1 } },
  });
  expect(Object.keys((stored as unknown as { days: object }).days)).toHaveLength(2);
});

test('every count but the lifetime counts expires, and an open hour later than its minutes', async () => {
  const webhookId = newId();
  await context.stores.stats.add([received(webhookId, at(0))]);
  const expiry = async () => {
    const found = await Promise.all(
      collections.map((name) =>
        collectionOf<{ _id: string; expiresAt?: Date }>(context.connection, name).find().toArray(),
      ),
    );
    return Object.fromEntries(
      found.flat().map(({ _id, expiresAt }) => {
        const days = expiresAt ? (+expiresAt - +midnight) / dayMs : null;
        return [_id.split(':').slice(1, -1).join() || 'minutes', days];
      }),
    );
  };
  expect(await expiry()).toEqual({ minutes: 30 });
  await rollUpAll();
  expect(await expiry()).toEqual({ minutes: 2 + 1 / 24, hour: 90, day: 1_100, ever: null });
});

test('one elected worker rolls up, three minutes after the end of the hour', async () => {
  const webhookId = newId();
  await context.stores.stats.add([received(webhookId, at(0))]);
  const clock = clockAt(at(hourMs + 2 * minuteMs));
  const start = () =>
    startStatsRollUp({
      ...context.stores,
      election: createElection(context.connection, { name: 'roll-up', leaseMs: 600_000 }),
      clock,
      logger: silentLogger(),
      intervalMs: hourMs,
    });
  const [elected, other] = [start(), start()];
  await elected.tick();
  clock.set(at(hourMs + 3 * minuteMs));
  await other.tick();
  expect(await openHours()).toBe(1);
  await elected.tick();
  expect(await openHours()).toBe(0);
  await context.stores.stats.add([received(webhookId, at(1))]);
  await elected.close();
  await other.tick();
  expect(await openHours()).toBe(0);
  await other.close();
});
