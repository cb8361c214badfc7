// Real MongoDB and Redis for tests. `npm test` names the shared servers in the environment; a test that stops or breaks a
// server starts its own. Databases always have `test` in their name.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { startMongod } from '../../../scripts/lib/services/mongod.mjs';
import { startRedisServer } from '../../../scripts/lib/services/redis-server.mjs';
import { startOnFreePort } from '../../../scripts/lib/process/ports.mjs';
import { processesWithVariable, sendSignal } from '../../../scripts/lib/process/processes.mjs';

/** The value of an environment variable that `npm test` sets. */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run the tests with npm test`);
}

/** The shared Redis: use a queue prefix of your own, and never flush it. */
export const sharedRedisUrl = (): string => requiredEnv('REDIS_URL');

/** The name of a database of this run on the shared MongoDB, which is dropped after the run. */
export const databaseOfRun = (name: string): string =>
  `${requiredEnv('INLET_TEST_DATABASES')}_${name}`;

/** The URL of the shared MongoDB, or another one, with this database, which need not exist. */
export function testMongoUrl(database: string, base = requiredEnv('MONGODB_URL')): string {
  if (!/^[\w-]*test[\w-]*$/.test(database)) {
    throw new Error(`A test database has test in its name, which ${database} has not`);
  }
  // The class URL refuses a URL with several hosts.
  return base.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);
}

/** Drops the database that the URL names; refuses one whose name lacks `test`. */
export async function dropDatabase(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1);
  if (!database.includes('test')) throw new Error(`Not dropped: ${database || 'no database'}`);
  const client = await new mongoose.mongo.MongoClient(url).connect();
  try {
    await client.db(database).dropDatabase();
  } finally {
    await client.close();
  }
}

export type TestServer = {
  /** Stays the same over stop and start. */
  readonly url: string;
  readonly port: number;
  /** Shuts the process down; its data stays. */
  stop(): Promise<void>;
  /** Starts it again, on the same port with the same data. */
  start(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Connections stay open and nothing answers, until `resume`. */
  pause(): void;
  resume(): void;
  /** Stops it and removes its data. */
  close(): Promise<void>;
};

type StartServerProcess = typeof startRedisServer;

/** The server that `begin` starts, with its data in a folder of its own under `root`. */
export async function startServer(
  program: string,
  begin: StartServerProcess,
  { root = tmpdir(), findPort }: { root?: string; findPort?: () => Promise<number> } = {},
): Promise<TestServer & { readonly folder: string }> {
  const folder = await mkdtemp(join(root, 'inlet-test-own-'));
  let port = 0;
  let release: (() => Promise<void>) | undefined;
  let pid = 0;
  let url = '';

  /** To the server and, under Wine, to Wine's server: it would spin while a process that it serves is stopped. */
  function signalAll(name: NodeJS.Signals): void {
    const ofWine = processesWithVariable(`WINEPREFIX=${join(folder, 'wine')}`);
    for (const one of new Set([pid, ...ofWine])) sendSignal(one, name);
  }
  async function start(): Promise<void> {
    const began = (undo: () => Promise<void>) => (release = undo);
    ({ pid, url } = await begin({ program, folder, port, began }));
  }
  async function stop(): Promise<void> {
    if (pid !== 0) signalAll('SIGCONT');
    await release?.();
    release = undefined;
    pid = 0;
  }
  async function kill(): Promise<void> {
    sendSignal(pid, 'SIGKILL');
    await stop();
  }
  async function close(): Promise<void> {
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  await startOnFreePort(async (free) => {
    port = free;
    await start().catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  }, findPort).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url,
    port,
    folder,
    start,
    stop,
    kill,
    close,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
}

/** A separate Redis, durable and without eviction. */
export const startRedis = (): Promise<TestServer> =>
  startServer(requiredEnv('INLET_TEST_REDIS_SERVER'), startRedisServer);

/**
 * A separate replica set of one member with the database `inlet_test`. Its data is under `root`, by default in the folder of
 * temporary files.
 */
export async function startMongo(root?: string): Promise<TestMongo> {
  const more = ['--setParameter', 'enableTestCommands=1'];
  const begin: StartServerProcess = async (options) => {
    const started = await startMongod({ ...options, more });
    return { ...started, url: testMongoUrl('inlet_test', started.url) };
  };
  const server = await startServer(requiredEnv('INLET_TEST_MONGOD'), begin, { root });
  return { ...server, ...faultsOf(server.url) };
}

/**
 * The effect of the failpoint on commands of Inlet's connections; commands of the test pass.
 * https://github.com/mongodb/mongo/wiki/The-%22failCommand%22-fail-point
 */
type Fault = {
  readonly failCommands: readonly string[];
  /** Only for this collection, as `database.collection`. */
  readonly namespace?: string;
  readonly errorCode?: number;
  readonly writeConcernError?: { readonly code: number; readonly errmsg: string };
  readonly blockConnection?: boolean;
  readonly blockTimeMS?: number;
  readonly closeConnection?: boolean;
};

export type TestMongo = TestServer & {
  /** From now on, or so many times. Gives how often it struck when it is taken away. */
  fail(fault: Fault, times?: number): Promise<void>;
  heal(): Promise<number>;
  /** The primary steps down, all its connections included, and may be elected again after `seconds`. */
  stepDown(seconds: number): Promise<void>;
};

/** The faults of the member that the URL names. */
export function faultsOf(url: string): Pick<TestMongo, 'fail' | 'heal' | 'stepDown'> {
  async function command(document: object): Promise<Record<string, unknown>> {
    const client = await new mongoose.mongo.MongoClient(url, { directConnection: true }).connect();
    try {
      return await client.db('admin').command(document);
    } finally {
      await client.close();
    }
  }
  const failCommand = (more: object) => command({ configureFailPoint: 'failCommand', ...more });
  return {
    async fail(fault, times) {
      const data = { appName: 'inlet', ...fault };
      await failCommand({ mode: times === undefined ? 'alwaysOn' : { times }, data });
    },
    heal: async () => Number((await failCommand({ mode: 'off' })).count),
    async stepDown(seconds) {
      await command({ replSetStepDown: seconds, force: true });
    },
  };
}
