/**
 * The administration as plain functions, one part for each resource.
 *
 * Promises: every change is in the audit log with its actor. Receivers reload what changed before the change is
 * answered.
 * Must never: depend on HTTP.
 */
import { mappingSchemas } from '../mapping/language/schema.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { createAudit, type AuditDeps } from './audit-log.ts';
import { createActivation, createRollback, type ActivationDeps } from './webhooks/activation.ts';
import { createChats, type ChatDeps } from './people/chats.ts';
import { createChannels, type ChannelDeps } from './channels.ts';
import { referenceData } from './reference-data.ts';
import { createContacts, type ContactDeps } from './people/contacts.ts';
import { createContentReader, type ContentDeps } from './payloads/event-content.ts';
import { createDeliveries, type DeliveryAdminDeps } from './events/deliveries.ts';
import { createDrift, type DriftDeps } from './mappings/drift.ts';
import { createExport, type ExportDeps } from './events/event-export.ts';
import { createLive, type LiveDeps } from './live/live-events.ts';
import { createErasures, type ErasureDeps } from './people/erasures.ts';
import { createEvents, type EventDeps } from './events/events.ts';
import { createIdempotency, type IdempotencyDeps } from './idempotency.ts';
import { createKeys, type KeyDeps } from './webhooks/path-keys.ts';
import { createMappings, type MappingDeps } from './mappings/mappings.ts';
import { createVersionHealth, type VersionHealthDeps } from './mappings/version-health.ts';
import { createResends, type ResendDeps } from './events/resends.ts';
import { createRuns, type RunDeps } from './events/runs.ts';
import { createSearch, type SearchDeps } from './events/event-search.ts';
import { createSamples } from './payloads/samples.ts';
import { createSchedules } from './webhooks/scheduled-activations.ts';
import { createSettings } from './webhooks/settings.ts';
import { createStats, type StatsDeps } from './stats.ts';
import { createSuggest } from './mappings/suggestions.ts';
import { createTestEvents, type TestEventDeps } from './events/test-events.ts';
import type { EventStore } from '../store/events/events.ts';
import { createTokens, type TokenDeps } from './tokens.ts';
import { createWebhooks, type WebhookDeps } from './webhooks/webhooks.ts';

export type AdminDeps = TokenDeps &
  KeyDeps &
  Omit<WebhookDeps, 'resumeHeld'> &
  RunDeps & { readonly events: Pick<EventStore, 'groupDeadLetters'> } & MappingDeps &
  ActivationDeps &
  TestEventDeps &
  Omit<EventDeps, 'contentOf'> &
  Omit<ResendDeps, 'contentOf'> &
  ContentDeps &
  SearchDeps &
  Omit<ExportDeps, 'contentOf' | 'search'> &
  LiveDeps &
  ChannelDeps &
  DeliveryAdminDeps &
  DriftDeps &
  IdempotencyDeps &
  StatsDeps &
  AuditDeps &
  ContactDeps &
  ChatDeps &
  VersionHealthDeps &
  ErasureDeps;
export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: AdminDeps) {
  const runs = createRuns(deps);
  const { activate, carryOut } = createActivation(deps);
  const contentOf = createContentReader(deps);
  const search = createSearch(deps);
  return {
    tokens: createTokens(deps),
    keys: createKeys(deps),
    channels: createChannels(deps),
    webhooks: createWebhooks({ ...deps, resumeHeld: (id, by) => runs.resume(id, by) }),
    activate,
    rollback: createRollback(deps),
    schedules: createSchedules({ ...deps, carryOut }),
    samples: createSamples(deps),
    mappings: createMappings(deps),
    testEvents: createTestEvents(deps),
    events: createEvents({ ...deps, contentOf }),
    resends: createResends({ ...deps, contentOf }),
    search,
    export: createExport({ ...deps, search, contentOf }),
    live: createLive(deps),
    deliveries: createDeliveries(deps),
    contacts: createContacts(deps),
    chats: createChats(deps),
    erasures: createErasures(deps),
    deadLetters: { list: deps.events.groupDeadLetters },
    runs,
    suggest: createSuggest(deps),
    settings: createSettings(deps),
    drift: createDrift(deps),
    stats: createStats(deps),
    health: createVersionHealth(deps),
    audit: createAudit(deps),
    attempt: createIdempotency(deps),
    catalogue: referenceData,
    /** Decodes request bodies of the APIs as JSON of a sender. */
    reader: jsonBody,
    mappingSchemas,
  };
}
