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
import type { ApiContext } from './context.ts';
import { createChats } from './people/chats.ts';
import { createContacts } from './people/contacts.ts';
import { createErasures } from './people/erasures.ts';

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: ApiContext) {
  return {
    contacts: createContacts(deps),
    agents: createAgents(deps),
    chats: createChats(deps),
    erasures: createErasures(deps),
    reader: jsonBody,
    formReader: formOrJsonBody,
    mappingSchemas,
  };
}
