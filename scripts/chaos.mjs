// `npm run chaos -- --faults 100 [--seed S]`: sets up, builds, and runs the harness of test/deep/chaos with MongoDB and Redis of
// its own. The seed that it prints repeats the run.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { chaosOptions, chaosUsage } from './lib/chaos-options.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { repository } from './lib/paths.mjs';
import { runCommand, stopCommandsOnSignals } from './lib/process/run-command.mjs';
import { exitCodeOf, printError, step } from './lib/output.mjs';

const harness = join(repository, 'test/deep/chaos');
const noLimitMs = 24 * 3_600_000;

async function chaos() {
  checkNode();
  readArguments(chaosUsage, { options: chaosOptions });
  await installDependencies();
  await buildIfChanged();
  const env = await step('Finding MongoDB and Redis', findPrograms);
  const { code } = await runCommand(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(repository, 'test/support/jest/typescript.mjs')).href,
      join(harness, 'main.ts'),
      ...process.argv.slice(2),
    ],
    { cwd: repository, env, show: true, timeoutMs: noLimitMs },
  );
  return code;
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function findPrograms() {
  const { INLET_TEST_MONGOD: mongod, INLET_TEST_REDIS_SERVER: redis } = process.env;
  // Only now: it needs the dependencies.
  const { findOrInstallMongodb } = await import('./lib/install/mongodb.mjs');
  const { findOrInstallRedis } = await import('./lib/install/redis.mjs');
  return {
    INLET_TEST_MONGOD: mongod || (await findOrInstallMongodb()).path,
    INLET_TEST_REDIS_SERVER: redis || (await findOrInstallRedis()).path,
  };
}

stopCommandsOnSignals();
try {
  process.exit(await chaos());
} catch (error) {
  printError(error);
  process.exit(exitCodeOf(error));
}
