// In which order test files run. Read from their texts, so that no list of durations has to be kept: tests that are allowed more
// time than usual take more time, and files that start processes mostly wait for them.
import { readFileSync } from 'node:fs';
import { testModulesOf } from '../../../scripts/lib/checks/test-files.mjs';

const starts =
  /\b(?:startRedis|startRedisNode|startMongo|startServer|createDeployment|startScenario|startInlet|startOnFreePorts|launchRole|openConsole|shareConsole|createTestBed)\(/;
/** A time limit of a test or hook, `}, 120_000);`, or of a file, `jest.setTimeout(120_000);`. */
const limits = /^\s*(?:\}, |jest\.setTimeout\()?(\d{2,3}_000),?\)?;?$/gm;

/** @typedef {{ limitMs: number, startsProcesses: boolean, length: number }} Weight */

/** @type {Map<string, Weight>} */
const weights = new Map();

/** @param {string} path of a test file @returns {Weight} */
export function weightOf(path) {
  const known = weights.get(path);
  if (known) return known;
  const own = [...testModulesOf([path])].filter((file) => !file.includes('/test/support/'));
  const texts = own.map((file) => readFileSync(file, 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(limits)]);
  const weight = {
    limitMs: Math.max(0, ...found.map(([, ms = '']) => Number(ms.replace('_', '')))),
    startsProcesses: texts.some((text) => starts.test(text)),
    length: texts.reduce((sum, text) => sum + text.length, 0),
  };
  weights.set(path, weight);
  return weight;
}

/** Sorts the longest first. @param {string} one @param {string} other */
export function compareWeights(one, other) {
  const [a, b] = [weightOf(one), weightOf(other)];
  return (
    b.limitMs - a.limitMs ||
    Number(b.startsProcesses) - Number(a.startsProcesses) ||
    b.length - a.length
  );
}
