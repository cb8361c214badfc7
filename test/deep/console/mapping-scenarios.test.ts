// Scenarios of mappings, payloads and contacts, in one Inlet. Run one with `-t` and a part of its name.
import { shareConsole } from '../../support/console/shared-console.ts';

jest.setTimeout(240_000);

shareConsole('console_mapping');
await import('./scenarios/mapping/mapping.ts');
await import('./scenarios/mapping/payload-changes.ts');
await import('./scenarios/mapping/hostile-payloads.ts');
