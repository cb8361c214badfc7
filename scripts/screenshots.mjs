// `npm run screenshots [-- screen [language]]`: pictures of the console's screens, over a temporary Inlet with seeded
// data: those that pages show into docs/screenshots/, the others into dist/screenshots/.
import { readArguments, usageError } from './lib/arguments.mjs';
import { runWithConsole } from './lib/run-with-console.mjs';

const usage = 'npm run screenshots [-- screen|all [en|pt-BR|es]]';

function checkArguments() {
  const { positionals } = readArguments(usage, { allowPositionals: true });
  const [, language = 'en', ...others] = positionals;
  const wrong = ['en', 'pt-BR', 'es'].includes(language) ? others[0] : language;
  if (wrong !== undefined)
    throw usageError(`There is no language or further argument '${wrong}'.`, usage);
}

await runWithConsole('test/screenshots/main.ts', checkArguments);
