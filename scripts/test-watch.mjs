// `npm run test:watch`: runs the test files that import a changed module, directly or not, until Ctrl-C. MongoDB and Redis start at
// the first need and stay up between runs.
// Bounds: at most 40 files run, the nearest first; those of the deep tier only when they, or what they share, change.
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { createImportGraph } from './lib/checks/import-graph.mjs';
import { runJest } from './lib/checks/jest.mjs';
import { isOfDefaultTier, needsOf } from './lib/checks/test-files.mjs';
import { createTestRun } from './lib/checks/test-run.mjs';
import { watchFiles } from './lib/checks/watch.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { installPackages } from './lib/install/test-tools.mjs';
import { exitCodeOf, print, printError } from './lib/output.mjs';
import { repository } from './lib/paths.mjs';
import { stopCommands } from './lib/process/run-command.mjs';
import { createCleanups, listenForStopSignals } from './lib/process/stop-signals.mjs';
import {
  makeTemporaryFolder,
  useMemoryForTemporaryFiles,
} from './lib/services/temporary-services.mjs';

const most = 40;
const stop = listenForStopSignals();
const releases = createCleanups();
/** @type {Promise<void>} */
let running = Promise.resolve();

async function start() {
  checkNode();
  readArguments('npm run test:watch');
  await installDependencies();
  useMemoryForTemporaryFiles();
  const folder = makeTemporaryFolder('watch', releases);
  const testRun = createTestRun(folder, releases);
  const graph = createImportGraph(repository);

  /** @param {string[]} changed */
  async function runTestsOf(changed) {
    const isDeepChanged = changed.some((path) => !isOfDefaultTier(path));
    const affected = graph.testsOf(changed);
    const chosen = affected.filter((path) => isDeepChanged || isOfDefaultTier(path));
    const files = chosen.slice(0, most);
    const names = changed.map((path) => relative(repository, path)).join(', ');
    print(`\nChanged: ${names}`);
    if (files.length === 0) return print('No test imports it.');
    if (files.length < chosen.length)
      print(`The nearest ${files.length} of ${chosen.length} test files; npm test runs all.`);
    const needs = needsOf(files);
    await installPackages(needs);
    const preparing = testRun.prepare(needs);
    const [env] = await Promise.all([preparing.environment, preparing.built]);
    if (stop.isRequested()) return;
    const workers = 2 * availableParallelism() + 1;
    const { passed, failed } = await runJest({ files, testName: undefined, workers, env, folder });
    print(`${passed} passed, ${failed} failed\nWaiting for changes. Ctrl-C ends.`);
  }

  releases.add(watchFiles(repository, (changed) => (running = runTestsOf(changed)), printError));
  print(`Waiting for changes in ${join(repository, '/')}. Ctrl-C ends.`);
}

let exitCode = 0;
try {
  await Promise.race([start().then(() => stop.requested), stop.requested]);
} catch (error) {
  printError(error);
  exitCode = exitCodeOf(error);
}
stopCommands();
await running.catch(() => undefined);
await releases.run();
process.exit(exitCode);
