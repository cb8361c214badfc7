// `npm run screenshots [-- screen [language]]`: pictures of the console's screens into docs/screenshots/, over a temporary
// Inlet with seeded data.
import { runOverConsole } from './lib/console-session.mjs';

await runOverConsole('test/screenshots/main.ts');
