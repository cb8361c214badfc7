// Set-up for `npm start` and `npm test` on a fresh clone: dependencies, build, MongoDB, Redis.
// Promises: imports nothing that is not in Node until the dependencies are installed; does only
// what is not done already; ends with a clear sentence and code 1 when something cannot be had.
import { buildIfChanged } from './lib/build.mjs';
import { checkNode, installDependencies } from './lib/dependencies.mjs';
import { loadEnvironmentFile } from './lib/environment.mjs';
import { obtainMongodb } from './lib/find-mongodb.mjs';
import { obtainRedis } from './lib/find-redis.mjs';
import { stopWithSignals } from './lib/run.mjs';
import { exitCodeOf, faint, say, sayTrouble, since, withoutCredentials } from './lib/say.mjs';

async function setUp() {
  const startedAt = performance.now();
  checkNode();
  await installDependencies();
  await buildIfChanged();
  const given = process.argv[2] === 'test' ? {} : loadEnvironmentFile();
  await sayService('MongoDB', given.MONGODB_URL, obtainMongodb);
  await sayService('Redis', given.REDIS_URL, obtainRedis);
  say(faint(`Set up in ${since(startedAt)}.`));
}

/**
 * @param {string} name
 * @param {string | undefined} url
 * @param {() => Promise<import('./lib/find-redis.mjs').Program>} obtain
 */
async function sayService(name, url, obtain) {
  if (url) return say(`${name}: ${withoutCredentials(url)}, as configured`);
  const { version, source } = await obtain();
  return say(`${name}: ${version} (${source})`);
}

stopWithSignals();
try {
  await setUp();
} catch (error) {
  sayTrouble(error);
  process.exitCode = exitCodeOf(error);
}
