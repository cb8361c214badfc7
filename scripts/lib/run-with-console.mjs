// Runs a script of TypeScript over the built console: with a browser, and with a temporary MongoDB and Redis, unless
// MONGODB_URL and REDIS_URL name test databases. Ends this process with the script's exit code.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged } from './build/build.mjs';
import { checkNode, installDependencies } from './install/dependencies.mjs';
import { repository } from './paths.mjs';
import { runCommand, stopCommands } from './process/run-command.mjs';
import { exitCodeOf, printError, step } from './output.mjs';
import { createCleanups, listenForStopSignals } from './process/stop-signals.mjs';
import { makeTemporaryFolder } from './services/temporary-services.mjs';
import { openTestServices } from './services/test-services.mjs';

const releases = createCleanups();
const loader = pathToFileURL(join(repository, 'test/support/jest/typescript.mjs')).href;
const longestMs = 900_000;

/** @param {string} script its path in the repository @param {() => void} checkArguments throws StepError */
async function prepareAndRun(script, checkArguments) {
  checkNode();
  checkArguments();
  await installDependencies();
  await buildIfChanged();
  // Only now: they need the dependencies.
  const { findOrInstallChromium } = await import('./install/chromium.mjs');
  const { path } = await findOrInstallChromium();
  const services = await step('Opening MongoDB and Redis', () =>
    openTestServices(makeTemporaryFolder('console', releases), releases),
  );
  const env = { ...services, INLET_TEST_CHROMIUM: path };
  const args = ['--import', loader, join(repository, script), ...process.argv.slice(2)];
  const options = { cwd: repository, env, show: true, timeoutMs: longestMs };
  return (await runCommand(process.execPath, args, options)).code;
}

/**
 * @param {string} script its path in the repository
 * @param {() => void} checkArguments throws StepError
 * @returns {Promise<never>}
 */
export async function runWithConsole(script, checkArguments) {
  const stop = listenForStopSignals();
  const running = prepareAndRun(script, checkArguments);
  let exitCode = 1;
  try {
    const ended = await Promise.race([running, stop.requested]);
    exitCode = typeof ended === 'string' ? 130 : ended;
  } catch (error) {
    printError(error);
    exitCode = exitCodeOf(error);
  }
  stopCommands();
  await running.catch(() => undefined);
  await releases.run();
  process.exit(exitCode);
}
