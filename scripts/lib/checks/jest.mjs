// One run of jest, and its counts.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repository } from '../paths.mjs';
import { runCommand } from '../process/run-command.mjs';
import { print, warn } from '../output.mjs';

/** @typedef {{ passed: number, failed: number }} Result */

/**
 * @typedef {object} JestOptions
 * @property {string[]} files absolute paths
 * @property {string | undefined} testName only tests whose name matches this pattern
 * @property {number} workers how many files run at a time
 * @property {NodeJS.ProcessEnv} env
 * @property {string} folder for the report
 */

const shownSlowest = 15;

/** @param {JestOptions} options @returns {Promise<Result>} */
export async function runJest({ files, testName, workers, env, folder }) {
  const report = join(folder, 'report.json');
  const args = [
    '--disable-warning=ExperimentalWarning',
    join(repository, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${report}`,
    `--maxWorkers=${workers}`,
    ...(testName === undefined ? [] : [`--testNamePattern=${testName}`]),
    '--runTestsByPath',
    ...files,
  ];
  const { code } = await runCommand(process.execPath, args, {
    cwd: repository,
    env,
    show: true,
    timeoutMs: 3_600_000,
  });
  if (!existsSync(report)) {
    warn(`jest wrote no report (code ${code}).`);
    return { passed: 0, failed: 1 };
  }
  const result = JSON.parse(readFileSync(report, 'utf8'));
  printDurations(result);
  return countsOf(result, { code, isPartial: testName !== undefined });
}

/**
 * @typedef {object} Report of `jest --json`
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 *
 * @typedef {object} Durations
 * @property {{ name: string, startTime: number, endTime: number }[]} testResults
 */

/** @param {Durations} report */
function printDurations({ testResults }) {
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, shownSlowest);
  if (testResults.length > 1) print(`\nThe slowest of ${testResults.length} test files:`);
  for (const { name, ms } of testResults.length > 1 ? slowest : []) {
    print(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(repository, name)}`);
  }
}

/**
 * Skipped tests and suites that could not run are failures; so is a bad exit without one. Tests that `testName` leaves out
 * are not skipped ones.
 * @param {Report} report
 * @param {{ code: number, isPartial?: boolean }} run
 * @returns {Result}
 */
export function countsOf(report, { code, isPartial = false }) {
  const failed =
    report.numFailedTests +
    (isPartial ? 0 : report.numPendingTests) +
    report.numTodoTests +
    report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** @param {Result[]} results @returns {Result} */
export function sumCounts(results) {
  return results.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
}
