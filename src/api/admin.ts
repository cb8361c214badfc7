/**
 * The administration as plain functions, one part for each resource.
 *
 * Promises: every change is in the audit log with its actor. Receivers reload what changed before the change is
 * answered.
 * Must never: depend on HTTP.
 */
import { mappingSchemas } from '../mapping/language/schema.ts';
import { formOrJsonBody } from '../producers/decode/body.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { createAgents } from './chats/agents.ts';
import { createConsoleSessions } from './access/console-sessions.ts';
import { createDatabaseVerification } from './installation/database.ts';
import type { ApiContext } from './context.ts';
import { createDrills } from './installation/drills.ts';
import { createIdempotency } from './access/idempotency.ts';
import { createChats } from './people/chats.ts';
import { createContacts } from './people/contacts.ts';
import { createErasures } from './people/erasures.ts';
import { referenceData } from './installation/reference-data.ts';
import { createTokens } from './access/tokens.ts';

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: ApiContext) {
  const tokens = createTokens(deps);
  return {
    contacts: createContacts(deps),
    agents: createAgents(deps),
    chats: createChats(deps),
    startDrill: createDrills(deps),
    database: createDatabaseVerification(deps),
    recordBackupVerification: deps.backupVerifications.record,
    erasures: createErasures(deps),
    tokens,
    consoleSessions: createConsoleSessions({ ...deps, ...tokens }),
    attempt: createIdempotency(deps),
    catalogue: referenceData,
    reader: jsonBody,
    formReader: formOrJsonBody,
    mappingSchemas,
  };
}
