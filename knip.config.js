// Unused files, exports and packages; test/unused-exports.test.ts runs it twice: on everything, and with `--production` without tests,
// so that nothing of the product exists only for its tests. What is listed is started or read by its path, which no import names.
import { commandEntry } from './scripts/lib/build/bundle-command.mjs';
import { entryPoints } from './scripts/lib/build/bundle-roles.mjs';

const isProduction = process.argv.includes('--production');

/** With a mark for `--production`. @param {string} path */
const ofProduct = (path) => `${path}!`;

/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    ...[...entryPoints, commandEntry].map(ofProduct),
    // index.html loads it; without --production that is found.
    ...(isProduction ? ['web/src/main.tsx!'] : []),
    // The build of the console replaces a module of Vite by it.
    'web/src/preload.ts!',
    // Published: its users import it.
    'client/*.ts!',
    // npm scripts.
    'scripts/*.mjs',
    'suggest/fitting/{ablate,print-score,write-weights}.ts',
    'bench/main.ts',
    'test/screenshots/main.ts',
    'test/deep/chaos/main.ts',
    // Processes that scripts start.
    'scripts/lib/{command-reference,install/download-mongod,site/write-site}.mjs',
    'scripts/lib/build/{compile-packages,load-packages}.cjs',
    'bench/baselines/*.ts',
    // Processes and preloaded modules of tests.
    '{test,suggest}/**/*.test.ts',
    'test/support/fixtures/log-writer.ts',
    'test/support/jest/typescript.mjs',
    'test/support/processes/*.mjs',
    'test/deep/chaos/preload/{preload,routes}.mjs',
    // VitePress looks for them there.
    'docs/.vitepress/{config.mjs,theme/index.mjs}',
  ],
  project: [
    '{src,workers,config,cli,client}/**/*.ts!',
    'web/src/**/*.{ts,tsx}!',
    'suggest/**/*.ts!',
    '!suggest/{fitting,test}/**!',
    '{scripts,bench,test,docs}/**/*.{ts,mjs,cjs,vue}',
  ],
  vite: { config: ['web/vite.config.ts'] },
  ignoreExportsUsedInFile: isProduction,
  ...(!isProduction && {
    ignoreDependencies: [
      // Their files are read or started by path.
      '@redocly/cli',
      'redoc',
      // Tests load the classes of manifests by the names of their kinds.
      'kubernetes-models',
      '@kubernetes-models/keda',
      '@kubernetes-models/prometheus-operator',
    ],
    // Part of Linux.
    ignoreBinaries: ['unshare'],
  }),
};
