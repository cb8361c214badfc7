// `npm test [-- path or pattern … [-t test name]]`, on a fresh clone too. Sets up, runs the tests that are named (all by
// default) with what they need, checks format, lint, types and the API document beside them when all tests run, and ends with
// one line: N passed, N failed.
// Promises: a suite that cannot run, a skipped test and a failed check count as failed; nothing run is a
// failure; no process and no folder is left, also after Ctrl-C.
import { availableParallelism } from 'node:os';
import { readArguments } from './lib/arguments.mjs';
import { runChecks } from './lib/checks/checks.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { installPackages } from './lib/install/test-tools.mjs';
import { runJest, sumCounts } from './lib/checks/jest.mjs';
import { exitCodeOf, print, printError, elapsed } from './lib/output.mjs';
import { stopCommands } from './lib/process/run-command.mjs';
import { createCleanups, listenForStopSignals } from './lib/process/stop-signals.mjs';
import { needsOf, selectTestFiles } from './lib/checks/test-files.mjs';
import { createTestRun } from './lib/checks/test-run.mjs';
import {
  makeTemporaryFolder,
  useMemoryForTemporaryFiles,
} from './lib/services/temporary-services.mjs';

const stop = listenForStopSignals();
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
  const preparing = createTestRun(folder, releases).prepare(needs);
  const checking = isWhole ? preparing.built.then(runChecks) : sumCounts([]);
  const testing = Promise.all([preparing.environment, preparing.built]).then(([environment]) => {
    if (stop.isRequested()) return sumCounts([]);
    return runJest({
      files,
      testName: values.testNamePattern,
      workers,
      env: environment,
      folder,
    });
  });
  return sumCounts(await Promise.all([checking, testing]));
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
