// Scenarios of signing in, keys, channels, lists, system status and the inbox, in one Inlet. Run one with `-t` and a part of its name.
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_access');
await import('./scenarios/access/sign-in.ts');
await import('./scenarios/access/credential.ts');
await import('./scenarios/access/visit-checks.ts');
await import('./scenarios/access/lists.ts');
await import('./scenarios/access/channels.ts');
await import('./scenarios/access/system-status.ts');
await import('./scenarios/access/inbox.ts');
