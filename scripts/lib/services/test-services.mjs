// The MongoDB and the Redis of a test run: those that MONGODB_URL and REDIS_URL name, otherwise own ones over a temporary folder.
// Promises: on a given server a run uses only databases whose names begin with its own, and one database of Redis that was empty;
// afterwards both are gone.
// Imported before the dependencies are there: what needs them is loaded when it is called.
import { randomUUID } from 'node:crypto';
import { StepError } from '../output.mjs';

/** @typedef {import('./temporary-services.mjs').Releases} Releases */

/**
 * The variables by which tests find the servers, and the programs of those that they start, stop and break themselves.
 * @param {string} folder
 * @param {Releases} releases
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function openTestServices(folder, releases, env = process.env) {
  const { createEmbeddedServices } = await import('./embedded-services.mjs');
  const { findOrInstallMongodb } = await import('../install/mongodb.mjs');
  const { findOrInstallRedis } = await import('../install/redis.mjs');
  const { start } = createEmbeddedServices(folder, releases.add);
  const [mongoUrl, redisUrl] = [env.MONGODB_URL?.trim(), env.REDIS_URL?.trim()];
  const run = `inlet_test_${randomUUID().slice(0, 6)}`;
  const [mongodb, redis, mongod, redisServer] = await Promise.all([
    mongoUrl ? useMongodb(mongoUrl, run, releases) : start('mongodb').then(({ url }) => url),
    redisUrl ? useRedis(redisUrl, run, releases) : start('redis').then(({ url }) => url),
    findOrInstallMongodb(),
    findOrInstallRedis(),
  ]);
  return {
    MONGODB_URL: withDatabase(mongodb, run),
    REDIS_URL: redis,
    INLET_TEST_DATABASES: run,
    INLET_TEST_MONGOD: mongod.path,
    INLET_TEST_REDIS_SERVER: redisServer.path,
  };
}

/** The class URL refuses a URL with several hosts. @param {string} url @param {string} database */
const withDatabase = (url, database) =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);

/**
 * @param {string} url
 * @param {string} run the beginning of the names of its databases
 * @param {Releases} releases
 * @throws {StepError} for a server that is no member of a replica set
 */
async function useMongodb(url, run, releases) {
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  releases.add(() => client.close());
  const { setName } = await client
    .db('admin')
    .command({ hello: 1 })
    .catch(() => {
      throw new StepError('The MongoDB that MONGODB_URL names does not answer.', {
        advice: ['start it, or unset MONGODB_URL: npm test then starts one of its own'],
      });
    });
  if (setName === undefined) {
    throw new StepError('The MongoDB that MONGODB_URL names is not a member of a replica set.', {
      advice: [
        'start it with --replSet and initiate the set; one member is enough',
        'or unset MONGODB_URL: npm test then starts one of its own',
      ],
    });
  }
  releases.add(() => dropDatabases(client, run));
  return url;
}

/** @param {import('mongoose').mongo.MongoClient} client @param {string} run */
async function dropDatabases(client, run) {
  const filter = { name: new RegExp(`^${run}(?:_|$)`) };
  const { databases } = await client.db().admin().listDatabases({ filter, nameOnly: true });
  for (const { name } of databases) await client.db(name).dropDatabase();
}

const claim = 'inlet:test-run';
/** A claim outlives a run that was killed by no more than this. */
const claimSeconds = 86_400;
const highestDatabase = 15;

/**
 * Claims an empty database of the server: the one that the URL names, otherwise the first from 15 down to 1.
 * @param {string} url
 * @param {string} run
 * @param {Releases} releases
 * @throws {StepError} when there is none
 */
async function useRedis(url, run, releases) {
  if (!/^rediss?:/.test(url)) {
    throw new StepError('Tests use a single Redis: REDIS_URL begins with redis:// or rediss://.');
  }
  const { Redis } = await import('ioredis');
  const named = Number(new URL(url).pathname.slice(1));
  const candidates =
    named > 0 ? [named] : Array.from({ length: highestDatabase }, (_, n) => highestDatabase - n);
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  releases.add(() => redis.disconnect());
  redis.on('error', () => undefined); // the commands reject
  try {
    for (const database of candidates) {
      await redis.select(database);
      if ((await redis.dbsize()) > 0) continue;
      if ((await redis.set(claim, run, 'EX', claimSeconds, 'NX')) !== 'OK') continue;
      releases.add(async () => {
        if ((await redis.get(claim)) === run) await redis.flushdb();
      });
      const own = new URL(url);
      own.pathname = `/${database}`;
      return own.href;
    }
  } catch {
    throw new StepError('The Redis that REDIS_URL names does not answer.', {
      advice: ['start it, or unset REDIS_URL: npm test then starts one of its own'],
    });
  }
  throw new StepError('The Redis that REDIS_URL names has no empty database for the tests.', {
    advice: ['name an empty one in REDIS_URL, as in redis://localhost:6379/9, or unset REDIS_URL'],
  });
}
