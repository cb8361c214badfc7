// One story for each part of the console that is about webhooks, in one Inlet: setup, mapping, failed events and keys. The deep tier
// has the rest.
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_webhooks');
await import('./stories/sign-in.ts');
await import('./stories/setup.ts');
await import('./stories/mapping.ts');
await import('./stories/repair.ts');
await import('./stories/keys.ts');
