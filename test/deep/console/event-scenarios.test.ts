// Scenarios of events, from the setup of a sender and its message over the repair of what failed to the event list, in one Inlet. Run one with `-t` and a part of its name.
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_events');
await import('./scenarios/events/setup.ts');
await import('./scenarios/events/composer.ts');
await import('./scenarios/events/events.ts');
