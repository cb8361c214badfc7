// What a file of chaos tests shares: a MongoDB and a Redis of its own, and a folder for what its processes log.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis, type TestServer } from '../../../support/services/services.ts';

type Databases<Mongo> = {
  readonly mongo: Mongo;
  readonly redis: TestServer;
  readonly folder: string;
};

/** Starts them before the tests of the file and ends them after. Returns a function that returns them. */
export function useDatabases<Mongo extends { close(): Promise<void> }>(
  startMongo: () => Promise<Mongo>,
): () => Databases<Mongo> {
  let databases: Databases<Mongo>;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inlet-chaos-'));
    const [mongo, redis] = await Promise.all([startMongo(), startRedis()]);
    databases = { mongo, redis, folder };
  });
  afterAll(async () => {
    const { mongo, redis, folder } = databases;
    await Promise.all([mongo.close(), redis.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return () => databases;
}
