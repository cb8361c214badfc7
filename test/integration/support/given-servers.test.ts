// The servers that MONGODB_URL and REDIS_URL name: tests use databases of their own on them, and leave nothing behind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { startMember } from '../../../scripts/lib/services/mongod.mjs';
import { openTestServices } from '../../../scripts/lib/services/test-services.mjs';
import { createCleanups } from '../../../scripts/lib/process/stop-signals.mjs';
import {
  requiredEnv,
  startMongo,
  startRedis,
  startServer,
  type TestServer,
} from '../../support/services/services.ts';

let mongo: TestServer;
let redis: TestServer;
let folder: string;
beforeAll(async () => {
  [mongo, redis] = await Promise.all([startMongo(), startRedis()]);
  folder = await mkdtemp(join(tmpdir(), 'inlet-test-given-'));
});
afterAll(async () => {
  await Promise.all([mongo?.close(), redis?.close()]);
  await rm(folder, { recursive: true, force: true });
});

const urls = () => ({ MONGODB_URL: mongo.url, REDIS_URL: redis.url });

const namesOf = async (client: InstanceType<typeof mongoose.mongo.MongoClient>) => {
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name);
};

test('are used and left as they were', async () => {
  const client = await new mongoose.mongo.MongoClient(mongo.url).connect();
  const other = new Redis(redis.url);
  const releases = createCleanups();
  try {
    await client.db('inlet').collection('kept').insertOne({ n: 1 });
    await other.set('kept', 'yes');
    await other.select(15);
    await other.set('kept', 'yes');
    const before = await namesOf(client);

    const env = await openTestServices(folder, releases, urls());
    const { port, pathname } = new URL(env.MONGODB_URL ?? '');
    expect([port, pathname]).toEqual([String(mongo.port), `/${env.INLET_TEST_DATABASES}`]);
    for (const name of [env.INLET_TEST_DATABASES, `${env.INLET_TEST_DATABASES}_of_a_file`])
      await client.db(name).collection('rows').insertOne({ n: 1 });
    const own = new Redis(env.REDIS_URL ?? '');
    await own.set('test_queue', 'yes');
    own.disconnect();
    // Database 15 has a key.
    expect(env.REDIS_URL).toBe(`${redis.url}/14`);

    await releases.run();
    expect(await namesOf(client)).toEqual(before);
    expect(await other.info('keyspace')).not.toContain('db14');
    expect(await other.get('kept')).toBe('yes');
  } finally {
    await releases.run();
    other.disconnect();
    await client.close();
  }
});

test('are shared by two runs at a time, of which each ends by itself', async () => {
  const runs = [createCleanups(), createCleanups()] as const;
  const other = new Redis(redis.url);
  try {
    const [one, two] = await Promise.all(
      runs.map((releases) => openTestServices(folder, releases, urls())),
    );
    expect(one?.REDIS_URL).not.toBe(two?.REDIS_URL);
    expect(one?.INLET_TEST_DATABASES).not.toBe(two?.INLET_TEST_DATABASES);
    await runs[0].run();
    await other.select(Number(new URL(two?.REDIS_URL ?? '').pathname.slice(1)));
    expect(await other.dbsize()).toBe(1);
  } finally {
    for (const releases of runs) await releases.run();
    other.disconnect();
  }
});

describe('are refused with a sentence', () => {
  const opening = async (env: NodeJS.ProcessEnv) => {
    const releases = createCleanups();
    try {
      return await openTestServices(folder, releases, { ...urls(), ...env });
    } finally {
      await releases.run();
    }
  };

  test('a MongoDB without a replica set', async () => {
    const alone = await startServer(requiredEnv('INLET_TEST_MONGOD'), async (options) => {
      const started = await startMember({ ...options, isStandalone: true });
      return { ...started, url: `mongodb://127.0.0.1:${options.port}/inlet` };
    });
    try {
      await expect(opening({ MONGODB_URL: alone.url })).rejects.toThrow(
        'The MongoDB that MONGODB_URL names is not a member of a replica set.',
      );
    } finally {
      await alone.close();
    }
  });
  test('a Redis whose named database has keys', async () => {
    const client = new Redis(`${redis.url}/3`);
    await client.set('kept', 'yes');
    await expect(opening({ REDIS_URL: `${redis.url}/3` })).rejects.toThrow(
      'The Redis that REDIS_URL names has no empty database for the tests.',
    );
    expect(await client.get('kept')).toBe('yes');
    client.disconnect();
  });
  test.each(['redis+cluster://a:6379,b:6379', 'redis+sentinel://a:26379/master'])(
    '%s',
    async (url) => {
      await expect(opening({ REDIS_URL: url })).rejects.toThrow('a single Redis');
    },
  );
});
