// Which test files a run has, and what they need. Both are read from the file system: a file needs what it, or a module of
// test/ that it imports, names in its text.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from '../paths.mjs';
import { StepError } from '../output.mjs';
import { tools } from '../install/test-tools.mjs';

/** @typedef {import('../install/test-tools.mjs').Needs} Needs */

const imported = /(?:from|import\() ?'(\.{1,2}\/[^']+\.(?:ts|mjs))'/g;
const marks = {
  services: /MONGODB_URL|REDIS_URL|INLET_TEST_(?:MONGOD|REDIS)/,
  browser: /INLET_TEST_CHROMIUM/,
  build: /(?<!ajv\/)\bdist\//,
};

/** The folders with tests. */
const roots = ['test', join('suggest', 'test')];

/** The second tier, `npm run test:deep`: tests that take long, need other programs or need root. A pattern must name them. */
const deep = join('test', 'deep', '/');

/**
 * The test files whose paths from the repository's root match one of the patterns; without a pattern, those of the default tier.
 * @param {string[]} patterns regular expressions, so that paths and parts of paths are patterns too
 * @returns {string[]} absolute paths
 * @throws {StepError} for a pattern that no file matches
 */
export function selectTestFiles(patterns) {
  const all = roots
    .flatMap((root) =>
      readdirSync(join(repository, root), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.test.ts'))
        .map((path) => join(root, path)),
    )
    .sort();
  const chosen = patterns.flatMap((pattern) => {
    const matches = all.filter((path) => new RegExp(pattern).test(path));
    if (matches.length > 0) return matches;
    throw new StepError(`No test file matches ${pattern}.`, {
      advice: [
        'name a file, a folder or a part of a path under test/ or suggest/test/, or nothing for all tests',
      ],
    });
  });
  const byDefault = all.filter((path) => isOfDefaultTier(join(repository, path)));
  return [...new Set(patterns.length === 0 ? byDefault : chosen)].map((path) =>
    join(repository, path),
  );
}

/** @param {string} path absolute */
export const isOfDefaultTier = (path) => !path.startsWith(join(repository, deep));

/** @param {string[]} files absolute paths @returns {Needs} */
export function needsOf(files) {
  const texts = [...testModulesOf(files)].map((path) => readFileSync(path, 'utf8'));
  const has = (/** @type {RegExp} */ mark) => texts.some((text) => mark.test(text));
  return {
    services: has(marks.services),
    browser: has(marks.browser),
    build: has(marks.build),
    tools: tools.filter(({ variable }) => has(new RegExp(variable))),
  };
}

/**
 * The files and every module of test/ that they import, directly or not.
 * @param {string[]} files absolute paths
 */
export function testModulesOf(files) {
  const found = new Set(files);
  for (const file of found) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
      const path = join(dirname(file), specifier);
      const isOfTests = relative(join(repository, 'test'), path).startsWith('..') === false;
      if (isOfTests && existsSync(path)) found.add(path);
    }
  }
  return found;
}
