// `npm test [-- path or pattern … [-t test name]]`, on a fresh clone too. Sets up, runs the tests that are named (all by
// default) with what they need, checks format, lint, types and the API document beside them when all tests run, and ends with
// one line: N passed, N failed.
// Promises: a suite that cannot run, a skipped test and a failed check count as failed; nothing run is a
// failure; no process and no folder is left, also after Ctrl-C.
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { readArguments } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { runChecks } from './lib/checks/checks.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { findOrInstallTools, installPackages } from './lib/install/test-tools.mjs';
import { runJest, sumCounts } from './lib/checks/jest.mjs';
import { exitCodeOf, print, printError, elapsed, step } from './lib/output.mjs';
import { processesWithVariable, stopProcess } from './lib/process/processes.mjs';
import { stopCommands } from './lib/process/run-command.mjs';
import { createCleanups, listenForStopSignals } from './lib/process/stop-signals.mjs';
import { needsOf, selectTestFiles } from './lib/checks/test-files.mjs';
import {
  makeTemporaryFolder,
  startTemporaryServices,
  testEnvironment,
  useMemoryForTemporaryFiles,
} from './lib/services/temporary-services.mjs';

const stop = listenForStopSignals();
const mark = { INLET_TEST_RUN: randomUUID() };
const releases = createCleanups();
/** Files that run at a time: more than cores, because many files wait for other processes. */
const workers = 2 * availableParallelism() + 1;

const usage = 'npm test [-- path or pattern … [-t test name]]';

async function test() {
  const { positionals, values } = readArguments(usage, {
    allowPositionals: true,
    options: { testNamePattern: { type: 'string', short: 't' } },
  });
  const files = selectTestFiles(positionals);
  const isWhole = positionals.length === 0 && values.testNamePattern === undefined;
  checkNode();
  const needs = needsOf(files);
  await Promise.all([installDependencies(), installPackages(needs)]);
  useMemoryForTemporaryFiles();
  const folder = makeTemporaryFolder('test', releases);
  releases.add(stopLeftovers);
  const preparing = prepare(needs, folder);
  const checking = isWhole ? preparing.built.then(runChecks) : sumCounts([]);
  const testing = Promise.all([preparing.environment, preparing.built]).then(([environment]) => {
    const env = { ...environment, ...mark };
    if (stop.isRequested()) return sumCounts([]);
    return runJest({
      files,
      testName: values.testNamePattern,
      workers,
      env,
      folder,
    });
  });
  return sumCounts(await Promise.all([checking, testing]));
}

/**
 * Builds, starts the services and finds a browser, each where it is needed, at the same time.
 * @param {import('./lib/checks/test-files.mjs').Needs} needs
 * @param {string} folder
 */
function prepare({ services, browser, build, tools }, folder) {
  const built = build ? buildIfChanged() : Promise.resolve();
  const environment = Promise.all([
    services ? step('Starting MongoDB and Redis', () => startOwn(folder)) : {},
    browser ? findBrowser() : {},
    findOrInstallTools(tools),
  ]).then((/** @type {NodeJS.ProcessEnv[]} */ parts) => Object.assign({}, ...parts));
  return { built, environment };
}

/** Stops processes that tests left running; they have the inherited mark. */
async function stopLeftovers() {
  const left = processesWithVariable(`INLET_TEST_RUN=${mark.INLET_TEST_RUN}`);
  if (left.length === 0) return;
  print(`Stopping ${left.length} processes that tests left.`);
  await Promise.all(left.map((pid) => stopProcess(pid)));
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function findBrowser() {
  const { findOrInstallChromium } = await import('./lib/install/chromium.mjs');
  const { path, version } = await findOrInstallChromium();
  print(`Chromium: ${path}, version ${version}`);
  return { INLET_TEST_CHROMIUM: path };
}

/** @param {string} folder @returns {Promise<NodeJS.ProcessEnv>} */
async function startOwn(folder) {
  const services = await startTemporaryServices(folder, releases);
  return {
    ...testEnvironment(services),
    INLET_TEST_MONGOD: services.mongodb.program,
    INLET_TEST_REDIS_SERVER: services.redis.program,
  };
}

const startedAt = performance.now();
const running = test();
let total = { passed: 0, failed: 0 };
let exitCode = 1;
try {
  const ended = await Promise.race([running, stop.requested]);
  if (typeof ended === 'string') print(`\nStopping (${ended}) …`);
  else total = ended;
  if (total.failed === 0 && total.passed > 0) exitCode = 0;
} catch (error) {
  printError(error);
  exitCode = exitCodeOf(error);
  total.failed += 1;
}
stopCommands();
await releases.run();
if (stop.isRequested()) await running.catch(() => undefined);
await releases.run();
print(`\nTook ${elapsed(startedAt)}.`);
print(`${total.passed} passed, ${total.failed} failed`);
process.exit(stop.isRequested() ? 130 : exitCode);
