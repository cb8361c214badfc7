// One story for each part of the console that is about people, in one Inlet: contacts, the inbox, notices and channels, with
// destinations of the test. The deep tier has the rest.
import { loopbackRange } from '../../support/services/destination.ts';
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_people', {
  env: { INLET_ALLOWED_DESTINATIONS: loopbackRange.join(',') },
});
await import('./stories/notices.ts');
await import('./stories/contacts.ts');
await import('./stories/inbox.ts');
await import('./stories/conversations.ts');
await import('./stories/help.ts');
