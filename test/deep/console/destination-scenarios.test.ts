// Scenarios of notices, conversations and kinds of channels, with destinations of the test, in one Inlet. Run one with `-t` and a part of its name.
import { loopbackRange } from '../../support/services/destination.ts';
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_destinations', {
  env: { INLET_ALLOWED_DESTINATIONS: loopbackRange.join(',') },
});
await import('./scenarios/destinations/channel-kinds.ts');
