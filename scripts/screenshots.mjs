// `npm run screenshots [-- screen [language]]`: pictures of the console's screens into docs/screenshots/, over an Inlet that is
// filled for it and gone after.
import { runOverConsole } from './lib/console-session.mjs';

await runOverConsole('test/screenshots/main.ts');
