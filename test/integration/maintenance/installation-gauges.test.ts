/** What one elected worker measures, with a real database. */
import { newId } from '../../../src/base/ids.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { channelSecretLocation } from '../../../src/domain/access/secret-locations.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { metricLabels } from '../../../src/domain/metric-labels.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { startInstallationGauges } from '../../../src/maintenance/installation-gauges.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createElection } from '../../../src/store/db/lock.ts';
import { takeEvents } from '../../../src/store/sets/sets.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { readDisk } from '../../../src/store/maintenance/database-state.ts';
import { recordBackupVerification } from '../../../src/store/maintenance/backup-verifications.ts';
import { verifySecrets } from '../../../src/store/maintenance/stored-secrets.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('gauges');
});
beforeEach(async () => {
  await context.clear();
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const theKey = Buffer.alloc(32, 1).toString('base64');
const actor = { tokenId: 'admin', name: 'Ana' };
const hourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

const anElection = () => createElection(context.connection, { name: 'gauges', leaseMs: 600_000 });

/** Ticks only when the test says so. */
function startGauges({
  election = anElection(),
  connection = context.connection,
  vault = createVault([theKey]),
} = {}) {
  const metrics = createMetrics(metricLabels);
  const ctx = { ...context.newResources({ metrics }), connection, vault, measurement: election };
  const gauges = startInstallationGauges(ctx, { intervalMs: 3_600_000 });
  const read = async () => (await metrics.registry.metrics()).split('\n');
  return {
    gauges,
    /** Returns the values of the series whose line begins with the name. */
    values: async (name: string): Promise<Record<string, number>> => {
      const lines = (await read()).filter((line) => line.startsWith(name));
      return Object.fromEntries(
        lines.map((line) => [
          line.slice(name.length, line.lastIndexOf(' ')),
          Number(line.split(' ').at(-1)),
        ]),
      );
    },
  };
}

async function anEventThatIs(fields: Partial<EventRecord>): Promise<string> {
  const _id = await context.send(webhook, { id: String(Math.random()), text: 'x' });
  await events().updateOne({ _id }, { $set: fields });
  return _id;
}

test('open and due events are counted by state, and the longest due one has its time', async () => {
  const since = hourAgo();
  await anEventThatIs({});
  await anEventThatIs({ receivedAt: new Date(0), dueAt: since });
  await anEventThatIs({ state: 'waiting', dueAt: hourAgo() });
  await anEventThatIs({ state: 'waiting', dueAt: inAnHour() });
  const eventIds = [await anEventThatIs({}), await anEventThatIs({})];
  const session = context.connection.getClient().startSession();
  const terms = { token: newId(), worker: 'test', session, alone: false, now: new Date() };
  await takeEvents(context.connection, eventIds, terms);
  await session.endSession();
  await anEventThatIs({ state: 'held', receivedAt: new Date(0) });
  const { gauges, values } = startGauges();
  await gauges.tick();
  expect(await values('inlet_events_open')).toEqual({
    '{state="received"}': 2,
    '{state="processing"}': 2,
    '{state="waiting"}': 2,
    '{state="held"}': 1,
  });
  expect(await values('inlet_events_due')).toEqual({ '': 3 });
  expect(await values('inlet_oldest_due_event_timestamp_seconds')).toEqual({ '': +since / 1_000 });
  await gauges.close();
});

test('dead letters are counted by the code of their reason, channels by kind, and nothing is missing', async () => {
  await anEventThatIs({ state: 'dead', reason: 'required_missing:contact.phone' });
  await anEventThatIs({ state: 'dead', reason: 'required_missing:message.text' });
  await anEventThatIs({ state: 'dead', reason: 'crashed_worker' });
  const { gauges, values } = startGauges();
  await gauges.tick();
  const dead = await values('inlet_dead_letters');
  expect(dead['{reason="required_missing"}']).toBe(2);
  expect(dead['{reason="crashed_worker"}']).toBe(1);
  expect(Object.keys(dead)).toHaveLength(metricLabels.reasons.length);
  expect((await values('inlet_channels'))['{kind="inbox",state="enabled"}']).toBeGreaterThan(0);
  expect(await values('inlet_runs_open')).toEqual({
    '{kind="replay"}': 0,
    '{kind="discard"}': 0,
    '{kind="resume"}': 0,
  });
  expect(await values('inlet_deliveries_open')).toEqual({
    '{state="waiting"}': 0,
    '{state="sending"}': 0,
  });
  await gauges.close();
});

test('one of two has the series, and the other takes over when it closes', async () => {
  const [first, second] = [startGauges(), startGauges()];
  await first.gauges.tick();
  await second.gauges.tick();
  expect(await first.values('inlet_events_due')).toEqual({ '': 0 });
  expect(await second.values('inlet_events_due')).toEqual({});
  await first.gauges.close();
  expect(await first.values('inlet_events_due')).toEqual({});
  await second.gauges.tick();
  expect(await second.values('inlet_events_due')).toEqual({ '': 0 });
  await second.gauges.close();
});

test('a lease that was lost ends the election, and one that ended by time is taken over', async () => {
  const [first, second] = [anElection(), anElection()];
  expect([await first.isElected(), await second.isElected()]).toEqual([true, false]);
  const locks = collectionOf<{ _id: string; until: Date }>(context.connection, 'locks');
  await locks.updateOne({ _id: 'gauges' }, { $set: { until: new Date(0) } });
  expect([await second.isElected(), await first.isElected()]).toEqual([true, false]);
  await second.resign();
});

test('while a measurement fails, no old figure is shown', async () => {
  let isAway = false;
  const connection = surroundedConnection(context.connection, (name, run) =>
    isAway && name === 'events.aggregate' ? Promise.reject(new Error('away')) : run(),
  );
  const { gauges, values } = startGauges({ connection });
  await gauges.tick();
  expect(await values('inlet_events_due')).toEqual({ '': 0 });
  isAway = true;
  await gauges.tick();
  expect(await values('inlet_events_due')).toEqual({});
  expect(await values('inlet_events_open')).toEqual({});
  isAway = false;
  await gauges.tick();
  expect(await values('inlet_dead_letters{reason="crashed_worker"}')).toEqual({ '': 0 });
  await gauges.close();
});

test('the disk of MongoDB is measured, and one that MongoDB does not tell is absent and hides nothing else', async () => {
  const { gauges, values } = startGauges();
  await gauges.tick();
  const disk = await readDisk(context.stores);
  expect(disk?.totalBytes).toBeGreaterThan(0);
  expect(await values('inlet_mongodb_disk_size_bytes')).toEqual({ '': disk?.totalBytes });
  expect((await values('inlet_mongodb_disk_used_bytes'))['']).toBeGreaterThan(0);
  await gauges.close();
  expect(await values('inlet_mongodb_disk_size_bytes')).toEqual({});
  for (const disk of [() => Promise.resolve({}), () => Promise.reject(new Error('refused'))]) {
    const connection = surroundedConnection(context.connection, (name, run) =>
      name === 'command' ? disk() : run(),
    );
    const without = startGauges({ connection });
    await without.gauges.tick();
    expect(await without.values('inlet_mongodb_disk')).toEqual({});
    expect(await without.values('inlet_events_due')).toEqual({ '': 0 });
    await without.gauges.close();
  }
});

test('the last verified backup has its time, and none before the first report', async () => {
  const { gauges, values } = startGauges();
  await gauges.tick();
  expect(await values('inlet_backup_verified_timestamp_seconds')).toEqual({});
  await gauges.close();
  await recordBackupVerification(context.stores, actor);
  const verifiedAt = await recordBackupVerification(context.stores, actor);
  const later = startGauges();
  await later.gauges.tick();
  expect(await later.values('inlet_backup_verified_timestamp_seconds')).toEqual({
    '': +verifiedAt / 1_000,
  });
  await later.gauges.close();
});

test('secrets that no key opens are counted by owner, none of them shown', async () => {
  const vault = createVault([theKey]);
  const channels = collectionOf<{ _id: string; secrets: Record<string, string> }>(
    context.connection,
    'channels',
  );
  const secrets = {
    token: vault.seal('the secret', channelSecretLocation('c1', 'token')),
    moved: vault.seal('the secret', channelSecretLocation('c2', 'moved')),
  };
  await channels.insertOne({ _id: 'c1', secrets });
  const { gauges, values } = startGauges({ vault });
  await gauges.tick();
  expect(await values('inlet_secrets_unreadable')).toEqual({
    '{owner="channel"}': 1,
    '{owner="webhook"}': 0,
    '{owner="notice_target"}': 0,
  });
  await gauges.close();
  const lost = startGauges({ vault: createVault([Buffer.alloc(32, 2).toString('base64')]) });
  await lost.gauges.tick();
  expect((await lost.values('inlet_secrets_unreadable'))['{owner="channel"}']).toBe(2);
  await lost.gauges.close();
  const [bounded] = await verifySecrets(context.stores, vault, 1);
  expect((bounded?.readable ?? 0) + (bounded?.unreadable ?? 0)).toBe(1);
});
