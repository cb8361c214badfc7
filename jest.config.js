// Tests run as native ES modules: swc only strips the types, so what is tested is what is written.
/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.inlet'],
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  // Machines that run tests are often shared, and slow for a while.
  testTimeout: 240_000,
};
