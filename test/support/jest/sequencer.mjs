// Gives jest the order of schedule.mjs.
import TestSequencer from '@jest/test-sequencer';
import { compareWeights } from './schedule.mjs';

/** The package's types are those of its CommonJS build. @type {typeof TestSequencer.default} */
const Base = /** @type {never} */ (TestSequencer);

// Jest takes it by default.
// oxlint-disable-next-line import/no-default-export
export default class LongestFirst extends Base {
  /** @override @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    return tests.toSorted((one, other) => compareWeights(one.path, other.path));
  }
}
