// Statistics by webhook: counting, aggregation and reading.
import { startSyncedClock, systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { databaseTime } from '../../../src/store/db/connection.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { startHeartbeat } from '../../../src/maintenance/heartbeat.ts';
import { startStatsCounter } from '../../../src/maintenance/stats-counter.ts';
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';

const path = '/v1/admin/stats';
const webhooks = '/v1/admin/webhooks';
let api: TestApi;

beforeAll(async () => {
  api = await createTestApi('http_stats');
});
afterAll(() => api.close());

const read = async (query: string) => (await api.ask('GET', `${path}?${query}`)).body.data;

// Not older: the database deletes minute buckets after two days.
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

const clockAt = (time: string) => {
  let now = new Date(time);
  return { now: () => now, elapsedMs: () => 0, set: (next: string) => void (now = new Date(next)) };
};
const counterAt = (time: string) => {
  const clock = clockAt(time);
  const deps = { ...api.stores, clock, logger: silentLogger(), intervalMs: 3_600_000 };
  return { clock, ...startStatsCounter(deps) };
};

const none = { received: 0, duplicates: 0, held: 0, done: 0, ignored: 0, dead: 0, discarded: 0 };

test('received events and their outcomes are counted per webhook and in total', async () => {
  const mapping = { eventId: { path: 'id' }, contact: { externalId: { path: 'lead' } } };
  const { id, key } = await aWebhook(api, { name: 'Counted', mapping });
  const post = (payload: object) =>
    fetch(`${api.url}/v1/webhook/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
  await post({ id: 'a', lead: 'p1' });
  await post({ id: 'a', lead: 'p1' });
  await post({ id: 'b' });
  await api.ask('POST', `${webhooks}/${id}/pause`);
  await post({ id: 'c', lead: 'p2' });
  const found = await api.ask('GET', `/v1/admin/events?webhookId=${id}`);
  const events: { id: string; state: string }[] = found.body.data.results;
  const open = events.filter(({ state }) => state === 'received').map((event) => event.id);
  await api.newProcessing({ countEvent: api.counter.count })(open);
  const held = events.find(({ state }) => state === 'held');
  await api.ask('POST', `/v1/admin/events/${held?.id}/discard`);
  await api.counter.flush();
  const counted = {
    received: 4,
    duplicates: 1,
    held: 1,
    done: 1,
    dead: 1,
    ignored: 0,
    discarded: 1,
  };
  for (const by of ['minute', 'hour', 'day']) {
    const own = await read(`webhookId=${id}&by=${by}`);
    expect(own.totals).toMatchObject(counted);
    expect(own.totals.p50Ms).toEqual(expect.any(Number));
    expect((await read(`by=${by}`)).totals).toMatchObject(counted);
  }
  const listed = (await api.ask('GET', `${path}/webhooks?by=minute`)).body.data;
  expect(listed.results[0]).toMatchObject({ webhookId: id, name: 'Counted', receivedEver: 4 });
  expect(listed.results[0].received).toHaveLength(60);
  expect(listed.results[0].lastEventAt).not.toBeNull();
});

test('concurrent processes that create the same bucket lose nothing', async () => {
  const webhookId = newId();
  const processes = [1, 2, 3, 4].map(() => counterAt(`${yesterday}T10:00:30Z`));
  for (const { count } of processes) count(webhookId, 'received');
  await Promise.all(processes.map((counter) => counter.close()));
  const hour = await read(`webhookId=${webhookId}&by=hour&from=${yesterday}&to=${yesterday}`);
  expect(hour.series).toHaveLength(24);
  expect(hour.series[10]).toMatchObject({ at: `${yesterday}T10:00:00.000Z`, ...none, received: 4 });
  expect(hour.totals).toMatchObject({ ...none, received: 4 });
});

test('a failed flush is not counted again, and later counts are kept', async () => {
  const webhookId = newId();
  let fails = true;
  const add: typeof api.stores.stats.add = (deltas) =>
    fails ? Promise.reject(new Error('no primary')) : api.stores.stats.add(deltas);
  const clock = clockAt(`${yesterday}T10:00:00Z`);
  const counter = startStatsCounter({ stats: { add }, clock, logger: silentLogger() });
  counter.count(webhookId, 'received');
  await counter.flush();
  fails = false;
  counter.count(webhookId, 'done', { tookMs: 100 });
  clock.set(`${yesterday}T10:01:00Z`);
  counter.count(webhookId, 'done', { tookMs: 5_000 });
  await counter.close();
  const range = `from=${yesterday}T10:00:00Z&to=${yesterday}T10:01:00Z`;
  const { totals, series } = await read(`webhookId=${webhookId}&by=minute&${range}`);
  expect(totals).toMatchObject({ ...none, done: 2 });
  expect(series.map(({ done }: { done: number }) => done)).toEqual([1, 1]);
  expect(totals.p50Ms / 100).toBeCloseTo(1, 0);
  expect(totals.p99Ms / 5_000).toBeCloseTo(1, 0);
});

test.each([
  ['minutes of years', 'by=minute&from=2020-01-01'],
  ['an end before its beginning', 'from=2026-02-01&to=2026-01-01'],
  ['another unit', 'by=week'],
  ['no id', 'webhookId=x'],
])('%s are rejected', async (_what, query) => {
  const { status, body } = await api.ask('GET', `${path}?${query}`);
  expect([status, body.data.code]).toEqual([400, 'invalid_query']);
});

test('series are read by an index', async () => {
  const open = await api.connection
    .collection('hour_stats')
    .find({ open: true, at: { $gte: new Date(0) }, webhookId: { $in: ['all'] } })
    .explain();
  expect(JSON.stringify(open)).not.toContain('COLLSCAN');
  const stats = api.connection.collection('stats');
  const plan = await stats
    .find({ webhookId: 'all', unit: 'hour', at: { $gte: new Date(0) } })
    .explain();
  expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  const size = await stats
    .find({ unit: 'day', at: new Date(0) })
    .sort({ received: -1, webhookId: 1 })
    .explain();
  expect(JSON.stringify(size)).not.toMatch(/COLLSCAN|"SORT"/);
});

test('health lists the running processes, the waiting events and the availability of the databases', async () => {
  const health = async () => (await api.ask('GET', `${path}/health`)).body.data;
  // Five minutes ahead.
  const ownClock = { ...systemClock, now: () => new Date(Date.now() + 300_000) };
  const clock = await startSyncedClock(() => databaseTime(api.connection), ownClock);
  const beating = ['server', 'worker', 'worker'].map((role) =>
    startHeartbeat(api.newResources({ role: role as 'worker', release: '0.2.0', clock }), {
      allowsDrills: false,
      ownClock,
    }),
  );
  const seen = await waitForValue('three processes', async () => {
    const told = await health();
    return told.processes.length === 3 ? told : undefined;
  });
  for (const { release, aheadMs } of seen.processes) {
    expect(release).toBe('0.2.0');
    expect(Math.abs(aheadMs - 300_000)).toBeLessThan(60_000);
  }
  expect(seen).toMatchObject({
    mongodb: { isUp: true, disk: { totalBytes: expect.any(Number) } },
    redis: {
      isUp: true,
      queueDepth: 0,
      settings: { policy: 'noeviction', isPersistent: true },
    },
    servers: 1,
    workers: 2,
    backlog: { open: expect.any(Number), held: expect.any(Number), dead: expect.any(Number) },
  });
  await Promise.all(beating.map((heartbeat) => heartbeat.close()));
  clock.close();
  await api.connection.collection('processes').insertOne({
    _id: newId() as never,
    role: 'worker',
    startedAt: new Date(0),
    seenAt: new Date(Date.now() - 60_000),
  });
  expect((await health()).workers).toBe(0);
});

test('a restricted token reads the counts of its own webhooks, together and apart', async () => {
  const [mine, other, theirs] = [
    await api.addWebhook(),
    await api.addWebhook(),
    await api.addWebhook(),
  ].map(({ _id }) => _id) as [string, string, string];
  const counter = counterAt(new Date().toISOString());
  for (const id of [mine, other, other, theirs]) counter.count(id, 'received');
  await counter.close();
  const restriction = { webhookIds: [mine, other], channelIds: [] };
  const token = await api.addToken(['viewer'], { restriction });
  const ask = async (query: string) =>
    (await api.ask('GET', `${path}${query}`, { token })).body.data;
  expect((await ask('?by=day')).totals).toMatchObject({ ...none, received: 3 });
  expect((await ask(`?by=day&webhookId=${mine}`)).totals.received).toBe(1);
  expect((await ask(`?by=day&webhookId=${theirs}`)).totals.received).toBe(0);
  const idsIn = async (query: string) =>
    (await ask(`/webhooks${query}`)).results.map((one: { webhookId: string }) => one.webhookId);
  expect(await idsIn('')).toEqual([other, mine]);
  expect(await idsIn(`?webhookId=${theirs},${mine}`)).toEqual([mine]);
});

test('the busiest are those of yesterday and today together, also right after midnight', async () => {
  const [now, before, longAgo] = [0, 1, 2].map((days) => new Date(Date.now() - days * 86_400_000));
  const webhooksOf = await Promise.all([api.addWebhook(), api.addWebhook(), api.addWebhook()]);
  const [fresh, steady, quiet] = webhooksOf.map(({ _id }) => _id) as [string, string, string];
  const count = async (at: Date | undefined, ids: readonly string[]) => {
    const counter = counterAt((at ?? new Date()).toISOString());
    for (const id of ids) counter.count(id, 'received');
    await counter.close();
  };
  await count(now, [fresh, fresh, steady]);
  await count(before, [steady, steady]);
  await count(longAgo, [quiet, quiet, quiet, quiet]);
  const restriction = { webhookIds: [fresh, steady, quiet], channelIds: [] };
  const token = await api.addToken(['viewer'], { restriction });
  const { body } = await api.ask('GET', `${path}/webhooks`, { token });
  const ids = body.data.results.map((one: { webhookId: string }) => one.webhookId);
  expect(ids).toEqual([steady, fresh]);
});
