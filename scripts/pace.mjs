// `npm run pace [-- sample …]`: how long the set-up takes a person, from signing in to an active integration, with what they press
// and type. By default for three samples of test/corpus.
import { runOverConsole } from './lib/console-session.mjs';

await runOverConsole('test/pace/main.ts');
