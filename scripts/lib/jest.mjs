// One run of jest over some folders, and what it came to.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './places.mjs';
import { run } from './run.mjs';
import { warn } from './say.mjs';

/** @typedef {{ passed: number, failed: number }} Result */

/**
 * @typedef {object} JestOptions
 * @property {string[]} paths patterns of test files, from the root of the repository
 * @property {string[]} except patterns of files that are not meant
 * @property {number} workers how many files at a time
 * @property {NodeJS.ProcessEnv} env
 * @property {string} folder for the report
 */

/** Jest matches whole paths, so a clone in a folder called test/unit must not match all. */
const rooted = (/** @type {string} */ path) =>
  `^${join(repository, '/').replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}${path}`;

/**
 * @param {string} name
 * @param {JestOptions} options
 * @returns {Promise<Result>}
 */
export async function runJest(name, { paths, except, workers, env, folder }) {
  const report = join(folder, `${name}.json`);
  // The flag is given to this process only: NODE_OPTIONS would reach every process that a test starts.
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(repository, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${report}`,
    '--passWithNoTests',
    ...[...except, 'node_modules/'].map((path) => `--testPathIgnorePatterns=${rooted(path)}`),
    `--maxWorkers=${workers}`,
    ...paths.map(rooted),
  ];
  const { code } = await run(process.execPath, args, {
    cwd: repository,
    env,
    show: true,
    timeoutMs: 1_800_000,
  });
  if (!existsSync(report)) {
    warn(`Tests ${name}: jest gave no result (code ${code}).`);
    return { passed: 0, failed: 1 };
  }
  return resultOf(JSON.parse(readFileSync(report, 'utf8')), code);
}

/**
 * @typedef {object} Report of `jest --json`
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 */

/**
 * Skipped tests and suites that could not run are failures; so is a bad exit without one.
 * @param {Report} report
 * @param {number} code
 * @returns {Result}
 */
export function resultOf(report, code) {
  const failed =
    report.numFailedTests +
    report.numPendingTests +
    report.numTodoTests +
    report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** @param {Result[]} results @returns {Result} */
export function totalOf(results) {
  return results.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
}
