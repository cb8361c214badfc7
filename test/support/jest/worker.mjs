// A worker of the jest runner: imports a test file natively and has jest-circus run what it defines.
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import * as circus from 'jest-circus';

/**
 * @typedef {object} FileReport
 * @property {import('@jest/test-result').AssertionResult[]} tests
 * @property {string[]} unhandledErrors stacks of errors outside of tests
 * @property {number} start milliseconds since the epoch
 * @property {number} end
 *
 * @typedef {object} RunOptions
 * @property {string} [testNamePattern]
 * @property {number} testTimeout milliseconds
 */

const { test, it, describe, beforeAll, afterAll, beforeEach, afterEach } = circus;
const config = /** @type {never} */ ({ fakeTimers: {} });
const jest = new ModernFakeTimers({ config, global: globalThis });
const setTimeout = (/** @type {number} */ ms) => void (circus.getState().testTimeout = ms);
Object.assign(globalThis, { expect: jestExpect, jest: Object.assign(jest, { setTimeout }) });
Object.assign(globalThis, { test, it, describe, beforeAll, afterAll, beforeEach, afterEach });

circus.addEventHandler((event) => {
  if (event.name === 'test_start') {
    jestExpect.setState({ currentTestName: event.test.name, suppressedErrors: [] });
  }
  if (event.name !== 'test_done') return;
  const { isExpectingAssertions, suppressedErrors } = jestExpect.getState();
  const missing = jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error);
  if (!isExpectingAssertions || event.test.errors.length === 0) event.test.errors.push(...missing);
  event.test.errors.push(...suppressedErrors);
});

/**
 * Runs one test file. Rejects only when the process cannot go on.
 * @param {string} path
 * @param {RunOptions} options
 * @returns {Promise<FileReport>}
 */
export async function runFile(path, { testNamePattern, testTimeout }) {
  const start = Date.now();
  circus.resetState();
  const pattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null;
  Object.assign(circus.getState(), { testTimeout, testNamePattern: pattern });
  const unhandled = collectUnhandledErrors();
  jestExpect.setState({ testPath: path, suppressedErrors: [] });
  try {
    await import(pathToFileURL(path).href);
    const { testResults, unhandledErrors } = await circus.run();
    // Node reports rejections without a handler once the queue of microtasks is empty.
    await new Promise((resolve) => setImmediate(resolve));
    const tests = testResults.map(assertionOf);
    if (tests.length === 0) unhandled.add(new Error('The file has no test.'));
    return {
      tests,
      unhandledErrors: [...unhandledErrors, ...unhandled.stacks()],
      start,
      end: Date.now(),
    };
  } catch (error) {
    return { tests: [], unhandledErrors: [stackOf(error)], start, end: Date.now() };
  } finally {
    unhandled.stop();
  }
}

/** Errors that no test catches fail the file, unless a handler comes before its end. */
function collectUnhandledErrors() {
  /** @type {unknown[]} */
  const errors = [];
  /** @type {Map<Promise<unknown>, unknown>} */
  const rejections = new Map();
  const add = (/** @type {unknown} */ error) => void errors.push(error);
  const onRejection = (/** @type {unknown} */ reason, /** @type {Promise<unknown>} */ promise) =>
    void rejections.set(promise, reason);
  const onHandled = (/** @type {Promise<unknown>} */ promise) => void rejections.delete(promise);
  process.on('uncaughtException', add);
  process.on('unhandledRejection', onRejection);
  process.on('rejectionHandled', onHandled);
  return {
    add,
    stacks: () => [...errors, ...rejections.values()].map(stackOf),
    stop() {
      process.off('uncaughtException', add);
      process.off('unhandledRejection', onRejection);
      process.off('rejectionHandled', onHandled);
    },
  };
}

/** @param {unknown} error */
const stackOf = (error) => (error instanceof Error && error.stack) || String(error);

const statuses = /** @type {const} */ ({ skip: 'pending', todo: 'todo' });

/**
 * @param {import('@jest/types').Circus.TestResult} result
 * @returns {import('@jest/test-result').AssertionResult}
 */
function assertionOf({ testPath, status, errors, duration, startedAt, ...rest }) {
  const [, ...titles] = testPath.map(String);
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1) ?? '',
    fullName: titles.join(' '),
    status:
      status === 'skip' || status === 'todo'
        ? statuses[status]
        : errors.length > 0
          ? 'failed'
          : 'passed',
    failureMessages: [...errors],
    failureDetails: [],
    duration,
    startAt: startedAt,
    invocations: rest.invocations,
    location: rest.location,
    numPassingAsserts: rest.numPassingAsserts,
    retryReasons: [],
  };
}
