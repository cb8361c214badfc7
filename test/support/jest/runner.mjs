// The jest runner of this project. Each worker is a plain Node process that runs one test file after the other; all files of a
// worker share loaded modules. Jest's own runner gives each file a VM context of its own, in which mongoose, BullMQ, Express
// and our modules are evaluated again: three seconds of CPU per file. Files stay isolated where it matters: no module of src
// holds state, and each file has its own database.
import { fileURLToPath } from 'node:url';
import { createEmptyTestResult } from '@jest/test-result';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { CallbackTestRunner } from 'jest-runner';
import { Worker } from 'jest-worker';
import { runInLanes } from './lanes.mjs';

/**
 * @typedef {import('@jest/test-result').Test} Test
 * @typedef {import('./worker.mjs').FileReport} FileReport
 * @typedef {import('jest-worker').Worker & { runFile: typeof import('./worker.mjs').runFile }} Pool
 */

const execArgv = [
  '--enable-source-maps',
  '--disable-warning=ExperimentalWarning',
  `--import=${new URL('./typescript.mjs', import.meta.url).href}`,
];

function startProcess() {
  const pool = /** @type {Pool} */ (
    new Worker(fileURLToPath(new URL('./worker.mjs', import.meta.url)), {
      exposedMethods: ['runFile'],
      forkOptions: { execArgv, serialization: 'json', stdio: 'pipe' },
      // A file whose process dies fails at once; it is not run again.
      maxRetries: 0,
      numWorkers: 1,
    })
  );
  pool.getStdout().on('data', (chunk) => process.stdout.write(chunk));
  pool.getStderr().on('data', (chunk) => process.stderr.write(chunk));
  return pool;
}

/** Processes that are started when no other one is free, and run file after file. */
function createProcesses() {
  /** @type {Pool[]} */
  const all = [];
  /** @type {Pool[]} */
  const free = [];
  return {
    /** @template T @param {(pool: Pool) => Promise<T>} work @returns {Promise<T>} */
    async use(work) {
      const pool = free.pop() ?? startProcess();
      if (!all.includes(pool)) all.push(pool);
      try {
        return await work(pool);
      } finally {
        free.push(pool);
      }
    },
    end: () => Promise.all(all.map((pool) => pool.end())),
  };
}

// Jest takes a runner by default.
// oxlint-disable-next-line import/no-default-export
export default class NativeRunner extends CallbackTestRunner {
  /**
   * @override
   * @type {CallbackTestRunner['runTests']}
   */
  async runTests(tests, watcher, ...[onStart, onResult, onFailure]) {
    const { maxWorkers, testNamePattern } = this._globalConfig;
    const processes = createProcesses();
    const run = async (/** @type {Test} */ test) => {
      if (watcher.isInterrupted()) return;
      await onStart(test);
      try {
        const { testTimeout = 5_000 } = this._globalConfig;
        const report = await processes.use((pool) =>
          pool.runFile(test.path, { testNamePattern, testTimeout }),
        );
        // Without tests, jest would report only that there are none.
        if (report.tests.length === 0) throw errorOf(report);
        await onResult(test, resultOf(report, test, this._globalConfig));
      } catch (error) {
        await onFailure(test, /** @type {never} */ (error));
      }
    };
    await runInLanes(tests, maxWorkers, run);
    await processes.end();
  }
}

/** @param {FileReport} report */
const errorOf = ({ unhandledErrors }) =>
  Object.assign(new Error('The file could not be run.'), { stack: unhandledErrors.join('\n') });

/**
 * @param {FileReport} report
 * @param {Test} test
 * @param {import('@jest/types').Config.GlobalConfig} globalConfig
 * @returns {import('@jest/test-result').TestResult}
 */
function resultOf({ tests, unhandledErrors, start, end }, { path, context }, globalConfig) {
  const count = (/** @type {string} */ status) =>
    tests.filter((test) => test.status === status).length;
  const empty = createEmptyTestResult();
  const failures = formatResultsErrors(tests, context.config, globalConfig, path) ?? '';
  const errors = unhandledErrors.map((error) =>
    formatExecError(error, context.config, globalConfig),
  );
  const runtime = end - start;
  return {
    ...empty,
    failureMessage: [failures, ...errors].filter(Boolean).join('\n\n') || null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: { ...empty.perfStats, start, end, runtime, slow: runtime > 5_000 },
    ...(errors.length > 0 && { testExecError: { message: '', stack: errors.join('\n') } }),
    testFilePath: path,
    testResults: tests,
  };
}
