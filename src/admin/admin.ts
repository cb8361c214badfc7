/**
 * The administration as plain functions, one part for each resource.
 *
 * Promises: every change is in the audit log with its actor. Receivers reload what changed before the change is
 * answered.
 * Must never: depend on HTTP.
 */
import { mappingSchemas } from '../mapping/language/schema.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { createAudit } from './audit-log.ts';
import { createChannels } from './channels.ts';
import type { AdminDeps } from './dependencies.ts';
import { createEventAdmin } from './events/event-admin.ts';
import { createIdempotency } from './idempotency.ts';
import { createMappingAdmin } from './mappings/mapping-admin.ts';
import { createSamples } from './payloads/samples.ts';
import { createChats } from './people/chats.ts';
import { createContacts } from './people/contacts.ts';
import { createErasures } from './people/erasures.ts';
import { referenceData } from './reference-data.ts';
import { createStats } from './stats.ts';
import { createTokens } from './tokens.ts';
import { createWebhookAdmin } from './webhooks/webhook-admin.ts';

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: AdminDeps) {
  const events = createEventAdmin(deps);
  return {
    ...events,
    ...createWebhookAdmin({ ...deps, resumeHeld: (id, actor) => events.runs.resume(id, actor) }),
    ...createMappingAdmin(deps),
    samples: createSamples(deps),
    channels: createChannels(deps),
    contacts: createContacts(deps),
    chats: createChats(deps),
    erasures: createErasures(deps),
    tokens: createTokens(deps),
    stats: createStats(deps),
    audit: createAudit(deps),
    attempt: createIdempotency(deps),
    catalogue: referenceData,
    /** Decodes request bodies of the APIs as JSON of a sender. */
    reader: jsonBody,
    mappingSchemas,
  };
}
