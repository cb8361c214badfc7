// `npm run build [-- <revision>]`: builds dist/, whether or not a source changed; the documentation site only when a page did.
// Metrics show the revision.
import { readArguments } from './lib/arguments.mjs';
import { repository } from './lib/paths.mjs';
import { build } from './lib/build/build.mjs';
import { exitCodeOf, printError, step } from './lib/output.mjs';

try {
  const { positionals } = readArguments('npm run build [-- revision]', { allowPositionals: true });
  await step('Building', () => build(repository, positionals[0]));
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
