// Which test files run first: those that start processes, which mostly wait, so that they wait beside the others and
// not after them; among equals the longer ones.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const waits = /\b(?:startRedis|startMongo|createDeployment|startInlet|launchRole|openConsole)\(/;

/** With the parts that stand beside it. @param {string} path */
function textOf(path) {
  const text = readFileSync(path, 'utf8');
  const parts = [...text.matchAll(/(?:from|import) '(\.\/[\w-]+\.ts)'/g)];
  return (
    text + parts.map(([, name = '']) => readFileSync(join(dirname(path), name), 'utf8')).join('')
  );
}

/** @param {string} path @returns {[waits: number, length: number]} */
function weightOf(path) {
  const text = textOf(path);
  return [waits.test(text) ? 1 : 0, text.length];
}

/** The package's types are those of its CommonJS build. @type {typeof TestSequencer.default} */
const Base = /** @type {never} */ (TestSequencer);

// Jest takes it by default.
// oxlint-disable-next-line import/no-default-export
export default class LongestFirst extends Base {
  /** @override @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const weighed = tests.map((test) => ({ test, weight: weightOf(test.path) }));
    weighed.sort((a, b) => b.weight[0] - a.weight[0] || b.weight[1] - a.weight[1]);
    return weighed.map(({ test }) => test);
  }
}
