// `npm run build [-- <revision>]`: builds dist/, whether or not a source changed. Metrics show the revision.
import { repository } from './lib/paths.mjs';
import { build } from './lib/build/build.mjs';
import { exitCodeOf, printError, step } from './lib/output.mjs';

try {
  await step('Building', () => build(repository, process.argv[2]));
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
