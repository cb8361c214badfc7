// Lets Node import TypeScript: `node --import ./test/support/jest/typescript.mjs file.ts`. Types are stripped and nothing else
// changes; inline source maps make stack traces name the lines of the source (with --enable-source-maps).
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort } from 'node:worker_threads';
import { transform } from '@swc/core';

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript' },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return { format: 'module', shortCircuit: true, source: code };
}

// A thread of the code under test registers it for itself. The thread that runs `load` has no port.
if (isMainThread || parentPort !== null) register(import.meta.url);
