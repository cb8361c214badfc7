// Scenarios of state that survives reloads and of messages that load late, in one Inlet. Run one with `-t` and a part of its name.
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_state');
await import('./scenarios/state/kept-state.ts');
await import('./scenarios/state/message-loading.ts');
