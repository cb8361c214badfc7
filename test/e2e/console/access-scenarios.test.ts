// Scenarios of signing in, keys, channels, lists, system status and the inbox, in one Inlet. Run one with `-t` and a part of its name.
import { shareConsole } from './scenarios/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_access');
await import('./scenarios/sign-in.ts');
await import('./scenarios/credential.ts');
await import('./scenarios/visit-checks.ts');
await import('./scenarios/keys.ts');
await import('./scenarios/lists.ts');
await import('./scenarios/channels.ts');
await import('./scenarios/system-status.ts');
await import('./scenarios/inbox.ts');
