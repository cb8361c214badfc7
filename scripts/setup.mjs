// Set-up for `npm start` and `npm test` on a fresh clone: dependencies, build, MongoDB, Redis.
// Promises: imports nothing that is not in Node until the dependencies are installed; does only
// what is not done already; ends with a clear sentence and code 1 when something cannot be had.
import { buildIfChanged } from './lib/build/build.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { loadEnvironmentFile } from './lib/environment.mjs';
import { findOrInstallMongodb } from './lib/install/mongodb.mjs';
import { findOrInstallRedis } from './lib/install/redis.mjs';
import { stopCommandsOnSignals } from './lib/process/run-command.mjs';
import { exitCodeOf, dim, print, printError, elapsed, withoutCredentials } from './lib/output.mjs';

async function setUp() {
  const startedAt = performance.now();
  checkNode();
  await installDependencies();
  await buildIfChanged();
  const given = process.argv[2] === 'test' ? {} : loadEnvironmentFile();
  await printService('MongoDB', given.MONGODB_URL, findOrInstallMongodb);
  await printService('Redis', given.REDIS_URL, findOrInstallRedis);
  print(dim(`Set up in ${elapsed(startedAt)}.`));
}

/**
 * @param {string} name
 * @param {string | undefined} url
 * @param {() => Promise<import('./lib/install/redis.mjs').Program>} obtain
 */
async function printService(name, url, obtain) {
  if (url) return print(`${name}: ${withoutCredentials(url)}, as configured`);
  const { version, source } = await obtain();
  return print(`${name}: ${version} (${source})`);
}

stopCommandsOnSignals();
try {
  await setUp();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
