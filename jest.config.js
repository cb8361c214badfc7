// Tests run as native ES modules in plain Node processes (test/support/jest/runner.mjs): types are stripped and nothing else
// changes, so that what is tested is what is written.
/** @type {import('jest').Config} */
export default {
  runner: '<rootDir>/test/support/jest/runner.mjs',
  testMatch: ['<rootDir>/{test,suggest}/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.inlet'],
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  // Files whose tests take longer say so with jest.setTimeout, and run first.
  testTimeout: 120_000,
};
