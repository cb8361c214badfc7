// `npm run screenshots [-- screen [language]]`: pictures of the console's screens into docs/screenshots/, over a temporary
// Inlet with seeded data.
import { runWithConsole } from './lib/run-with-console.mjs';

await runWithConsole('test/screenshots/main.ts');
