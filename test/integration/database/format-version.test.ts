// Documents of a newer format are left to newer processes; the format of the database; numbered migrations.
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../../src/base/ids.ts';
import { earliestFormatVersion, formatVersion } from '../../../src/domain/format-version.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { recordFormat, requireReadable } from '../../../src/store/db/format.ts';
import { withLock } from '../../../src/store/db/lock.ts';
import { migrate } from '../../../src/store/db/migrate.ts';
import {
  contract,
  expand,
  requireMigrated,
  type Migration,
} from '../../../src/store/db/migrations.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { allIndexes } from '../../../src/store/all-indexes.ts';
import { aChannel } from '../../support/context/builders.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { recordHeartbeat } from '../../../src/store/maintenance/processes.ts';

let context: TestContext;
let webhook: Webhook;
beforeEach(async () => {
  context = await createTestContext('formats');
  webhook = await context.addWebhook();
});
afterEach(() => context.close());

const release = '1.0.0';
const newer = { needs: formatVersion + 1 };
const own = { needs: formatVersion };
const past = new Date(0);
const collection = (name: string) => collectionOf<{ _id: string }>(context.connection, name);
const setAll = (name: string, set: object) => collection(name).updateMany({}, { $set: set });
const claim = { token: 't', leaseMs: 60_000 };

describe('a document that needs a newer format version is left alone, and one that needs this version is not', () => {
  test('events: no set takes them, no sweep, and no stuck worker', async () => {
    const { events } = context.stores;
    const id = await context.send(webhook, { id: '1', text: 'x' });
    await setAll('events', { ...newer, nextAt: past, receivedAt: past });
    expect(await events.takeDueEvents({ thinned: false })).toEqual({ due: [], hasMore: false });
    expect(await events.findOverdue(1)).toEqual([]);
    await context.processEvents([id]);
    expect(await listSets(context.connection)).toEqual([]);
    const stored = await collectionOf<EventRecord>(context.connection, 'events').findOne({});
    expect(stored).toMatchObject({ state: 'received', attempts: 0, sweeps: 0, nextAt: past });
    await setAll('events', own);
    expect(await events.findOverdue(1)).toHaveLength(1);
    expect((await events.takeDueEvents({ thinned: false })).due).toHaveLength(1);
    await context.processEvents([id]);
    expect(await events.get(id)).toMatchObject({ attempts: 1 });
  });

  test('runs', async () => {
    const { runs } = context.stores;
    const by = { tokenId: 'test', name: 'test' };
    await runs.ensureResume(webhook._id, { held: { count: 1, exact: true }, by });
    const [run] = await collection('runs').find().toArray();
    await setAll('runs', { ...newer, nextAt: past });
    expect(await runs.next()).toBeNull();
    expect(await runs.claim(run?._id ?? '', 't')).toBeNull();
    await setAll('runs', own);
    expect(await runs.next()).toMatchObject({ id: run?._id });
    expect(await runs.claim(run?._id ?? '', 't')).not.toBeNull();
  });

  test('deliveries', async () => {
    const { deliveries } = context.stores;
    const settings = { url: 'https://example.com/' };
    const channelId = await aChannel(context, { kind: 'http', settings });
    const outside = await context.addWebhook(undefined, channelId);
    await context.processEvents([
      await context.send(outside, { id: '1', text: 'x', lead: { id: 'p1' } }),
    ]);
    const [message] = await collection('messages').find().toArray();
    const id = message?._id ?? '';
    await setAll('messages', newer);
    expect(await deliveries.findDue(10, [])).toEqual([]);
    await deliveries.postpone([channelId], 'channel_disabled');
    expect(await deliveries.claim([id], claim)).toEqual([]);
    await setAll('messages', own);
    expect(await deliveries.findDue(10, [])).toHaveLength(1);
    expect(await deliveries.claim([id], claim)).toHaveLength(1);
  });

  test('erasures', async () => {
    const { erasures } = context.stores;
    const _id = newId();
    await collection('erasures').insertOne({ _id, open: true, nextAt: past, ...newer } as never);
    expect(await erasures.claim()).toBeNull();
    await setAll('erasures', own);
    expect(await erasures.claim()).toMatchObject({ _id });
  });
});

describe('the format of the database', () => {
  const collections = ['events', 'messages'];
  const check = () => requireReadable(context.connection, collections);
  const formats = () => collection('migrations').find({ _id: 'format' }).toArray();
  const setFormat = (version: number) =>
    setAll('migrations', { formatVersion: version, release: '9.0.0' });
  const refused = (message: string) => ({
    name: 'StartupError',
    exitCode: 78,
    message: expect.stringContaining(message),
  });

  test('an empty database gets that of the first process, and what another had recorded stays', async () => {
    const { connection } = context;
    await collection('migrations').deleteMany({});
    await expect(requireReadable(connection, ['nothing'])).resolves.toBeUndefined();
    await Promise.all([1, 2].map(() => recordFormat(connection, { release })));
    expect(await formats()).toEqual([{ _id: 'format', formatVersion, release }]);
    await recordFormat(connection, { release: '1.0.1' });
    expect(await formats()).toMatchObject([{ release }]);
    await check();
  });

  test('a database with documents and no format version is refused', async () => {
    await collection('migrations').deleteMany({});
    await expect(check()).rejects.toMatchObject(refused('name an empty database in MONGODB_URL'));
  });

  test('an earlier version than this release reads is refused, and the earliest that it reads is not', async () => {
    await setFormat(earliestFormatVersion - 1);
    await expect(check()).rejects.toMatchObject(
      refused(`reads none before ${earliestFormatVersion}`),
    );
    await setFormat(earliestFormatVersion);
    await check();
  });

  test('a later version is refused, also when another release was first on an empty database', async () => {
    await setFormat(formatVersion + 1);
    await expect(check()).rejects.toMatchObject(refused('start Inlet 9.0.0 or newer'));
    await collection('migrations').deleteMany({});
    const { connection } = context;
    // The other release holds the lock while it records its own.
    const other = withLock(connection, { name: 'migration', onWait: () => undefined }, async () => {
      await pause(1_000);
      await collection('migrations').insertOne({
        _id: 'format',
        formatVersion: formatVersion + 1,
        release: '9.0.0',
      } as never);
    });
    await expect(recordFormat(connection, { release })).rejects.toMatchObject(
      refused('start Inlet 9.0.0 or newer'),
    );
    await other;
  });

  test('contract raises it, without a phase too, and never lowers it', async () => {
    const { connection } = context;
    await setFormat(formatVersion - 1);
    await contract(connection, { release });
    expect(await formats()).toEqual([{ _id: 'format', formatVersion, release }]);
    await setFormat(formatVersion + 1);
    await contract(connection, { release });
    expect(await formats()).toMatchObject([{ formatVersion: formatVersion + 1 }]);
  });
});

describe('numbered migrations', () => {
  const ran: string[] = [];
  const step = (name: string) => () => Promise.resolve(void ran.push(name));
  const migration = (number: number): Migration => ({
    number,
    name: `m${number}`,
    expand: step(`expand ${number}`),
    contract: step(`contract ${number}`),
  });
  const all = [migration(1), migration(2)];
  beforeEach(() => ran.splice(0));

  test('each phase runs once and in order, also by two processes at once', async () => {
    const { connection } = context;
    const both = await Promise.all([1, 2].map(() => expand(connection, { release, all })));
    expect(both.flat()).toEqual(['1 (m1)', '2 (m2)']);
    expect(ran).toEqual(['expand 1', 'expand 2']);
    expect(await expand(connection, { release, all: [...all, migration(3)] })).toEqual(['3 (m3)']);
    expect(await contract(connection, { release, all })).toEqual(['1 (m1)', '2 (m2)']);
    expect(await contract(connection, { release, all })).toEqual([]);
    const record = await collection('migrations').findOne({ _id: '2:contract' });
    expect(record).toMatchObject({ number: 2, phase: 'contract', release });
  });

  test('one that failed runs again, and those before it do not', async () => {
    const { connection } = context;
    let isBroken = true;
    const second: Migration = {
      ...migration(2),
      expand: async () => {
        if (isBroken) throw new Error('it broke');
        ran.push('expand 2');
      },
    };
    const given = { release, all: [migration(1), second] };
    await expect(expand(connection, given)).rejects.toThrow('it broke');
    isBroken = false;
    expect(await expand(connection, given)).toEqual(['2 (m2)']);
    expect(ran).toEqual(['expand 1', 'expand 2']);
  });

  test('contract waits until no process of an earlier format version has run for a minute', async () => {
    const { connection } = context;
    const seenAt = new Date();
    const processes = collection('processes');
    const older = { role: 'server', formatVersion: formatVersion - 1 };
    await processes.insertOne({ _id: 'old', ...older, seenAt } as never);
    await setAll('migrations', { formatVersion: formatVersion - 1 });
    await expect(contract(connection, { release, all })).rejects.toMatchObject({
      name: 'StartupError',
      exitCode: 65,
      message: expect.stringContaining(`format version ${formatVersion - 1}`),
    });
    expect(ran).toEqual([]);
    // The release before still starts.
    expect(await collection('migrations').findOne({ _id: 'format' })).toMatchObject({
      formatVersion: formatVersion - 1,
    });
    await setAll('processes', { seenAt: new Date(Date.now() - 61_000) });
    await recordHeartbeat(context.stores, 'new', {
      role: 'server',
      release,
      aheadMs: 0,
      indexes: '',
    });
    expect(await contract(connection, { release, all })).toHaveLength(2);
  });

  test('an earlier release does not start once a contract phase has begun, also when it died', async () => {
    const { connection } = context;
    const seen: unknown[] = [];
    const one: Migration = {
      ...migration(1),
      contract: async () => {
        seen.push(await collection('migrations').findOne({ _id: 'format' }));
        throw new Error('it died');
      },
    };
    await setAll('migrations', { formatVersion: formatVersion - 1 });
    await expect(contract(connection, { release, all: [one] })).rejects.toThrow('it died');
    expect(seen).toMatchObject([{ formatVersion, release }]);
    expect(await contract(connection, { release, all })).toEqual(['1 (m1)', '2 (m2)']);
  });

  test('a process without a heartbeat during an outage of MongoDB still keeps contract from running', async () => {
    const { connection } = context;
    const seenAt = new Date(Date.now() - 300_000);
    const before = { role: 'server', seenAt };
    await collection('processes').insertMany([
      { _id: 'old', ...before, formatVersion: formatVersion - 1 },
      { _id: 'new', ...before, formatVersion },
    ] as never);
    await expect(contract(connection, { release, all })).rejects.toThrow(
      `format version ${formatVersion - 1}`,
    );
    expect(ran).toEqual([]);
  });

  test('what is missing is named, and nothing is changed', async () => {
    const { connection } = context;
    await migrate(connection, allIndexes);
    await expand(connection, { release });
    await requireMigrated(connection, allIndexes);
    await collection('events').dropIndex('by_reason');
    await collection('events').dropIndex('dedup');
    const specs = [...allIndexes];
    const message = await requireMigrated(connection, specs, [migration(7)]).catch(
      (error: Error) => error.message,
    );
    expect(message).toContain('index events.dedup');
    expect(message).toContain('index events.by_reason');
    expect(message).toContain('migration 7 (m7)');
    expect(message).toContain('npm run migrate');
    expect(ran).toEqual([]);
  });

  test('another shape of an index that is not unique is no reason not to start', async () => {
    const { connection } = context;
    await migrate(connection, allIndexes);
    await expand(connection, { release });
    await collection('events').dropIndex('by_reason');
    await collection('events').createIndex({ reason: 1 }, { name: 'by_reason' });
    await requireMigrated(connection, allIndexes);
  });
});
