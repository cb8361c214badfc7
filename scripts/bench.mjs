// `npm run bench [-- part …]`: sets up, builds, starts MongoDB and Redis unless they are given, and runs
// bench/. Works in a database and under a queue prefix of its own, and removes both afterwards.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readArguments, usageError } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { repository } from './lib/paths.mjs';
import { runCommand, stopCommands } from './lib/process/run-command.mjs';
import { exitCodeOf, printError, step, StepError } from './lib/output.mjs';
import { createCleanups, listenForStopSignals } from './lib/process/stop-signals.mjs';
import { makeTemporaryFolder, startTemporaryServices } from './lib/services/temporary-services.mjs';

/** Those of bench/main.ts. */
const parts = [
  'mapping',
  'requests',
  'suggest',
  'processing',
  'footprint',
  'compare',
  'fairness',
  'receive',
  'memory',
  'growth',
  'admin',
];
const stop = listenForStopSignals();
/** A million events take a quarter of an hour on a quiet machine to be stored. */
const longestMs = 7_200_000;
const releases = createCleanups();
const name = `inlet_bench_test_${randomUUID().slice(0, 8)}`;

const usage = `npm run bench [-- part …], of the parts ${parts.join(', ')}`;

async function bench() {
  checkNode();
  const { positionals } = readArguments(usage, { allowPositionals: true });
  const unknown = positionals.find((part) => !parts.includes(part));
  if (unknown !== undefined) throw usageError(`There is no part '${unknown}'.`, usage);
  await installDependencies();
  await buildIfChanged();
  await step('Building the benchmark', compile);
  const env = await step('Finding MongoDB and Redis', findServices);
  const { code } = await runCommand(
    process.execPath,
    ['--expose-gc', join(repository, 'dist/bench/main.js'), ...process.argv.slice(2)],
    { cwd: repository, env, show: true, timeoutMs: longestMs },
  );
  return code;
}

async function compile() {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const { code, output } = await runCommand(
    process.execPath,
    [compiler, '-p', 'tsconfig.bench.json'],
    {
      cwd: repository,
    },
  );
  if (code !== 0) throw new StepError(`The build failed.\n${output.trim()}`);
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function findServices() {
  const { MONGODB_URL: mongodb, REDIS_URL: redis } = process.env;
  const urls = mongodb && redis ? { mongodb, redis } : await startOwn();
  const url = new URL(urls.mongodb);
  url.pathname = `/${name}`;
  releases.add(() => clean(url.href, urls.redis));
  return { MONGODB_URL: url.href, REDIS_URL: urls.redis, INLET_QUEUE_PREFIX: name };
}

async function startOwn() {
  const { mongodb, redis } = await startTemporaryServices(
    makeTemporaryFolder('bench', releases),
    releases,
  );
  return { mongodb: mongodb.url, redis: redis.url };
}

/** @param {string} mongodbUrl @param {string} redisUrl */
async function clean(mongodbUrl, redisUrl) {
  const { default: mongoose } = await import('mongoose');
  const { Redis } = await import('ioredis');
  const client = await new mongoose.mongo.MongoClient(mongodbUrl).connect();
  await client.db(name).dropDatabase();
  await client.close();
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`${name}:*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}

const running = bench();
let exitCode = 1;
try {
  const ended = await Promise.race([running, stop.requested]);
  exitCode = typeof ended === 'string' ? 130 : ended;
} catch (error) {
  exitCode = exitCodeOf(error);
  printError(error);
}
stopCommands();
await running.catch(() => undefined);
await releases.run();
process.exit(exitCode);
