// Indexes: creation by several processes at once, changed indexes, conflicting documents, and a lost index.
import { systemClock } from '../../../src/base/clock.ts';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { storeFailures, watchIndexes } from '../../../src/assemble/connection.ts';
import { newId } from '../../../src/base/ids.ts';
import { type Connection, connectMongo, type IndexSpec } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { listIndexes, missingIndexes, versionOfIndexes } from '../../../src/store/db/indexes.ts';
import { migrate } from '../../../src/store/db/migrate.ts';
import { recordHeartbeat, removeProcess } from '../../../src/store/maintenance/processes.ts';
import { allIndexes } from '../../../src/store/all-indexes.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment } from '../../support/processes/roles.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import {
  dropDatabase,
  startMongo,
  testMongoUrl,
  type TestMongo,
} from '../../support/services/services.ts';
import { leadMapping } from '../../support/context/test-context.ts';

jest.setTimeout(120_000);

let mongo: TestMongo;
const opened: Connection[] = [];

beforeAll(async () => {
  mongo = await startMongo();
});
afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await mongo.close();
});

async function open(url = testMongoUrl(`test_migrate_${newId()}`, mongo.url)) {
  const connection = await connectMongo(url);
  opened.push(connection);
  return { url, connection };
}

/** Runs `npm run migrate` as a process. */
function runMigrate(url: string): Promise<{ code: number | null; text: string }> {
  const child = fork(join(repository, 'dist/bin/migrate.js'), [], {
    env: { ...process.env, MONGODB_URL: url, REDIS_URL: 'redis://127.0.0.1:1' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.stderr?.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}

test('four processes at once on a fresh database leave every index, and each ends with 0', async () => {
  const { url, connection } = await open();
  const ended = await Promise.all([1, 2, 3, 4].map(() => runMigrate(url)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(await missingIndexes(connection, allIndexes)).toEqual([]);
  expect(ended.filter(({ text }) => text.includes('indexes.changed'))).toHaveLength(1);
});

type Doc = { _id: string; shop?: string; keys?: string[]; n?: number };
const spec: IndexSpec = {
  collection: 'things',
  name: 'once',
  key: { shop: 1, keys: 1 },
  unique: true,
  where: { keys: { $type: 'string' } },
};

test('conflicting documents are reported by id and kept, and all other indexes are created', async () => {
  const { connection } = await open();
  const things = collectionOf<Doc>(connection, 'things');
  await things.insertMany([
    { _id: 'a', shop: 's', keys: ['1', '2'] },
    { _id: 'b', shop: 's', keys: ['2'] },
    { _id: 'c', shop: 's', keys: ['3', '3'] },
    { _id: 'd', shop: 's' },
    { _id: 'e', shop: 's' },
  ]);
  const other: IndexSpec = { collection: 'things', name: 'by_n', key: { n: 1 } };
  const message = await migrate(connection, [spec, other]).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message).toContain('things.once on shop and keys: 1 group(s)');
  expect(message).toMatch(/^ {4}(a, b|b, a)$/m);
  expect(message).toContain('npm run migrate');
  expect(await things.countDocuments()).toBe(5);
  expect((await listIndexes(connection, 'things')).map(({ name }) => name)).toContain('by_n');
  await things.deleteOne({ _id: 'b' });
  expect(await migrate(connection, [spec, other])).toEqual({
    created: ['things.once'],
    replaced: [],
    dropped: [],
  });
});

const uniqueNames = async (connection: Connection) =>
  (await listIndexes(connection, 'things')).filter(({ unique }) => unique).map(({ name }) => name);

const heartbeat = { role: 'server', release: '1.0.0', aheadMs: 0 } as const;
const beat = (connection: Connection, id: string, specs: readonly IndexSpec[]) =>
  recordHeartbeat({ connection, clock: systemClock }, id, {
    ...heartbeat,
    indexes: versionOfIndexes(specs),
  });

test('a changed unique index is built beside the old one, until no process of the old version runs', async () => {
  const { connection } = await open();
  await migrate(connection, [spec]);
  const changed = { ...spec, key: { shop: 1, keys: 1, n: 1 } } as const;
  await beat(connection, 'old', [spec]);

  const none = { created: [], replaced: [], dropped: [] };
  expect(await migrate(connection, [changed])).toEqual({ ...none, replaced: ['things.once'] });
  expect(await uniqueNames(connection)).toEqual(['once', expect.stringMatching(/^once_/)]);
  for (const known of [spec, changed])
    expect(await missingIndexes(connection, [known])).toEqual([]);
  expect(await migrate(connection, [changed])).toEqual(none);
  // As after an outage of MongoDB, which a process outlives without a heartbeat.
  await connection
    .collection('processes')
    .updateMany({}, { $set: { seenAt: new Date(Date.now() - 300_000) } });
  expect(await migrate(connection, [changed])).toEqual(none);

  await removeProcess({ connection, clock: systemClock }, 'old');
  await beat(connection, 'new', [changed]);
  expect(await migrate(connection, [changed])).toEqual({ ...none, dropped: ['things.once'] });
  expect(await uniqueNames(connection)).toEqual([expect.stringMatching(/^once_/)]);
  expect(await missingIndexes(connection, [changed])).toEqual([]);
});

test('an older version that starts again gets its unique index back beside the new one', async () => {
  const { connection } = await open();
  const changed = { ...spec, key: { shop: 1, keys: 1, n: 1 } } as const;
  await migrate(connection, [spec]);
  await migrate(connection, [changed]);
  await beat(connection, 'new', [changed]);
  await migrate(connection, [spec]);
  for (const known of [spec, changed])
    expect(await missingIndexes(connection, [known])).toEqual([]);
});

test('a changed unique index with conflicting documents leaves the old one in place', async () => {
  const { connection } = await open();
  await migrate(connection, [spec]);
  await collectionOf<Doc>(connection, 'things').insertMany([
    { _id: 'a', shop: 's', keys: ['1'] },
    { _id: 'b', shop: 's', keys: ['2'] },
  ]);
  const narrower = { ...spec, key: { shop: 1 } } as const;
  await expect(migrate(connection, [narrower])).rejects.toThrow('things.once on shop');
  expect(await missingIndexes(connection, [spec])).toEqual([]);
});

test('the start waits for the end of a step-down', async () => {
  await mongo.fail({ failCommands: ['createIndexes'], errorCode: 189 }, 3);
  const { url } = await open();
  const { code, text } = await runMigrate(url);
  expect({ code, waited: text.includes('mongodb.unavailable') }).toEqual({ code: 0, waited: true });
});

test('only a missing unique index keeps a process from receiving and from being ready', async () => {
  const { connection } = await open();
  await migrate(connection, allIndexes);
  const events = collectionOf(connection, 'events');
  await events.dropIndex('by_reason');
  const watched = watchIndexes(connection, silentLogger());
  watched.close();
  const failures = async () => {
    await watched.check();
    return storeFailures(connection, watched.lost());
  };
  expect(await failures()).toEqual([]);
  await events.dropIndex('dedup');
  const reason = 'the unique index events.dedup is missing or different';
  expect(await failures()).toEqual([{ check: 'indexes', reason }]);
  expect(watched.lost()).toEqual(['events.dedup']);
});

test('the unique indexes of every collection are checked in turn, and all together while one is missing', async () => {
  const { connection } = await open();
  await migrate(connection, allIndexes);
  const watched = watchIndexes(connection, silentLogger());
  watched.close();
  const [dropped] = allIndexes.filter(({ collection, unique }) => unique && collection === 'keys');
  if (!dropped) throw new Error('Keys have no unique index.');
  await collectionOf(connection, 'keys').dropIndex(dropped.name);
  const collections = new Set(
    allIndexes.filter(({ unique }) => unique).map((one) => one.collection),
  );
  for (let checks = 1; checks < collections.size; checks += 1) await watched.check();
  expect(watched.lost()).toEqual([`keys.${dropped.name}`]);
  await migrate(connection, allIndexes);
  await watched.check();
  expect(watched.lost()).toEqual([]);
});

test('without a unique index nothing is received until npm run migrate restores it, without a restart', async () => {
  const inlet = await createDeployment('lost', {
    env: { MONGODB_URL: testMongoUrl(`test_lost_${newId()}`, mongo.url) },
  });
  try {
    const { opsUrl } = await inlet.start('server');
    const { key } = await inlet.client.addActiveWebhook(leadMapping);
    const send = () => inlet.client.deliver(key, { id: 'e1' });
    expect((await inlet.client.deliverPatiently(key, { id: 'e1' })).status).toBe(200);
    await inlet.db.collection('events').dropIndex('dedup');
    await waitForValue('it is not ready', async () => {
      const ready = await (await fetch(`${opsUrl}/readyz`)).text();
      return ready.includes('events.dedup') || undefined;
    });
    const refused = await waitForValue('the request is rejected', async () => {
      const answer = await send();
      return answer.status === 503 ? answer : undefined;
    });
    expect(refused.data.code).toBe('unavailable');
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const migrated = await runMigrate(inlet.mongoUrl);
    // Documents inserted between the drop and the rejection may conflict, and are reported.
    if (migrated.code === 65) {
      expect(migrated.text).toContain('events.dedup');
      const [, ...extra] = await inlet.db
        .collection('events')
        .find()
        .sort({ receivedAt: 1 })
        .toArray();
      await inlet.db.collection('events').deleteMany({ _id: { $in: extra.map(({ _id }) => _id) } });
      expect((await runMigrate(inlet.mongoUrl)).code).toBe(0);
    } else expect(migrated.code).toBe(0);
    await waitForValue('the request is accepted', async () =>
      (await send()).data.duplicate ? true : undefined,
    );
    await waitForValue('it is ready', async () =>
      (await fetch(`${opsUrl}/readyz`)).status === 200 ? true : undefined,
    );
  } finally {
    await inlet.close();
    await dropDatabase(inlet.mongoUrl);
  }
});
