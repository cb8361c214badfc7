// Drills with the built `inlet` on a running `npm start`, whose supervisor starts again what they end, and on a replica set.
import { Redis } from 'ioredis';
import { startReplicaSet } from '../chaos/cluster/replica-set.ts';
import { useDatabases } from '../chaos/cluster/databases.ts';
import { runCommandLine } from '../../support/processes/command.ts';
import { startInlet, temporaryFolder, type Inlet } from '../../support/processes/inlet.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';

jest.setTimeout(300_000);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const drill = async (args: string, url: string) => {
  const words = ['drill', ...args.split(' '), '--seconds', '9', '--yes', '--json'];
  const env = { INLET_URL: url, INLET_TOKEN: adminToken };
  const { code, stdout, stderr } = await runCommandLine(words, { cwd: folder.path, env });
  return { code, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
};

describe('on a running npm start', () => {
  let inlet: Inlet;
  beforeAll(async () => {
    inlet = startInlet({
      INLET_DATA_DIR: folder.path,
      INLET_PORT: '0',
      INLET_OPS_PORT: '0',
      INLET_WORKERS: '2',
      INLET_DRILLS: 'true',
      INLET_ADMIN_TOKEN: adminToken,
      INLET_API_REQUESTS_PER_MINUTE: '1000',
    });
    await inlet.says('Inlet is ready');
  });
  afterAll(async () => {
    inlet.signal('SIGTERM');
    await inlet.ended;
    await inlet.destroy();
  });

  test('a worker that a drill ends is started again, and every acknowledged event is done once', async () => {
    const workers = inlet.alive('worker.js');
    const { code, report } = await drill('kill-worker', inlet.url());
    expect({ code, report }).toMatchObject({
      code: 0,
      report: { lost: 0, doubled: 0, notAcknowledged: 0, workersAreBack: true },
    });
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.doneOnce).toBe(report.acknowledged);
    const now = inlet.alive('worker.js');
    expect(now).toHaveLength(workers.length);
    expect(workers.filter((pid) => !now.includes(pid))).toHaveLength(1);
  });
});

/** A deployment that allows drills, with a server and a worker. */
async function withDeployment(
  over: Record<string, string>,
  work: (own: Deployment, url: string) => Promise<void>,
): Promise<void> {
  const own = await createDeployment('cli_drill', { env: { INLET_DRILLS: 'true', ...over } });
  try {
    const { url = '' } = await own.start('server');
    await own.start('worker');
    await work(own, url);
  } finally {
    await own.close();
  }
}

const endLease = (own: Deployment) =>
  own.db.collection('locks').updateOne({ _id: 'drill' as never }, { $set: { until: new Date(0) } });

test('a flush deletes the queue alone; a second drill waits, and a single MongoDB is not stepped down', () =>
  withDeployment({}, async (own, url) => {
    const redis = new Redis(own.redisUrl);
    const others = [`${own.prefix}:other`, `${own.prefix}-other:process-events:1`];
    try {
      for (const key of others) await redis.set(key, 'kept');
      const first = await drill('redis-flush', url);
      expect(first).toMatchObject({ code: 0, report: { lost: 0, doubled: 0 } });
      expect(first.stderr).toMatch(/redis-flush, [1-9]\d* keys/);
      expect(await redis.mget(others)).toEqual(['kept', 'kept']);
    } finally {
      await redis.unlink(others);
      redis.disconnect();
    }
    await expect(
      own.client.call('startDrill', { body: { fault: 'redis-flush' } }),
    ).rejects.toMatchObject({
      code: 'invalid_transition',
      details: { state: 'in_progress' },
    });
    await endLease(own);
    await expect(
      own.client.call('startDrill', { body: { fault: 'step-down' } }),
    ).rejects.toMatchObject({
      details: { state: 'one_member' },
    });
    const { results } = await own.client.call('listAudit', { query: { action: ['drill.start'] } });
    expect(results.map(({ target }) => target)).toEqual([{ type: 'drill', id: 'redis-flush' }]);
  }));

describe('on a replica set', () => {
  const database = useDatabases(startReplicaSet);

  test('a primary steps down only where its replica set serves Inlet alone, and nothing is lost', () => {
    const { mongo, redis } = database();
    const MONGODB_URL = mongo.url.replace('/?', '/inlet_test_drill?');
    return withDeployment({ MONGODB_URL, REDIS_URL: redis.url }, async (own, url) => {
      const other = own.mongo.db('another_application');
      await other.collection('things').insertOne({ of: 'others' });
      const refused = await drill('step-down', url);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('other databases'),
      ]);
      await other.dropDatabase();
      const before = await mongo.primary();
      const { code, report } = await drill('step-down', url);
      const after = await mongo.primary();
      expect(after.server.url).not.toBe(before.server.url);
      expect({ code, report }).toMatchObject({
        code: 0,
        report: { fault: 'step-down', lost: 0, doubled: 0 },
      });
      expect(report.acknowledged).toBeGreaterThan(0);
      expect(report.doneOnce).toBe(report.acknowledged);
      const { results } = await own.client.call('listAudit', {
        query: { action: ['drill.start'] },
      });
      expect(results.map(({ target }) => target.id)).toEqual(['step-down']);
    });
  });
});

test('an installation that does not allow drills sends nothing and answers 404', async () => {
  const own = await createDeployment('cli_no_drill');
  try {
    const { url = '' } = await own.start('server');
    const { code, stderr } = await drill('kill-worker', url);
    expect([code, stderr]).toEqual([1, expect.stringContaining('INLET_DRILLS')]);
    expect(await own.db.collection('webhooks').countDocuments()).toBe(0);
    const asked = own.client.call('startDrill', { body: { fault: 'redis-flush' } });
    await expect(asked).rejects.toMatchObject({ status: 404 });
  } finally {
    await own.close();
  }
});
