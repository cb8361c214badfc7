// `npm run bench [-- part …]`: sets up, builds, starts MongoDB and Redis unless they are given, and runs
// bench/. Works in databases and under queue prefixes of its own, and removes them afterwards.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readArguments, usageError } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { buildCommit, resolveCommit } from './lib/build/build-commit.mjs';
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
  'before',
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

const usage = `npm run bench [-- part … [--commit REF [--save]]], with --commit for before, of the parts ${parts.join(', ')}`;
/** The commit that the part `before` measures. */
const options = /** @type {const} */ ({
  commit: { type: 'string' },
  save: { type: 'boolean', default: false },
});

async function bench() {
  checkNode();
  const { positionals, values } = readArguments(usage, { allowPositionals: true, options });
  const unknown = positionals.find((part) => !parts.includes(part));
  if (unknown !== undefined) throw usageError(`There is no part '${unknown}'.`, usage);
  const { commit } = values;
  if (commit === undefined && (positionals.includes('before') || values.save))
    throw usageError('The part before needs --commit.', usage);
  const revision = commit === undefined ? undefined : await resolveCommit(commit);
  if (revision === null) throw usageError(`There is no commit '${commit}'.`, usage);
  await installDependencies();
  await buildIfChanged();
  await step('Building the benchmark', compile);
  const before = revision && (await buildBefore(revision, values.save));
  const env = await step('Finding MongoDB and Redis', findServices);
  const { code } = await runCommand(
    process.execPath,
    ['--expose-gc', join(repository, 'dist/bench/main.js'), ...positionals],
    { cwd: repository, env: { ...env, ...before }, show: true, timeoutMs: longestMs },
  );
  return code;
}

/** @param {string} revision @param {boolean} isSaved */
async function buildBefore(revision, isSaved) {
  const folder = join(makeTemporaryFolder('bench-commit', releases), 'inlet');
  await step(`Building ${revision}`, () => buildCommit(revision, { folder, releases }));
  return {
    BENCH_COMMIT: revision,
    BENCH_COMMIT_DIST: join(folder, 'dist'),
    BENCH_SAVE: String(isSaved),
  };
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
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const database of databases)
    if (database.name.startsWith(name)) await client.db(database.name).dropDatabase();
  await client.close();
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`${name}*`);
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
