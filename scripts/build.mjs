// `npm run build`: builds dist/, whether or not a source changed.
import { build } from './lib/build/build.mjs';
import { exitCodeOf, printError, step } from './lib/output.mjs';

try {
  await step('Building', () => build());
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
