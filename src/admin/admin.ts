/**
 * What people and their tools may do to Inlet, as plain functions: one part for each resource.
 *
 * Promises: every change names who made it in the audit log; what a sender must notice is forgotten by the receiver
 * before the change is answered.
 * Must never: know of HTTP.
 */
import { mappingSchemas } from '../mapping/schema.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { createAudit, type AuditDeps } from './audit.ts';
import { createActivation, createRollback, type ActivationDeps } from './activation.ts';
import { createChats, type ChatDeps } from './chats.ts';
import { createChannels, type ChannelDeps } from './channels.ts';
import { referenceData } from './catalogue.ts';
import { createContacts, type ContactDeps } from './contacts.ts';
import { createContentReader, type ContentDeps } from './content.ts';
import { createDeliveries, type DeliveryAdminDeps } from './deliveries.ts';
import { createDrift, type DriftDeps } from './drift.ts';
import { createExport, type ExportDeps } from './export.ts';
import { createLive, type LiveDeps } from './live.ts';
import { createErasures, type ErasureDeps } from './erasures.ts';
import { createEvents, type EventDeps } from './events.ts';
import { createDeadLetters, type DeadLetterDeps } from './dead-letters.ts';
import { createIdempotency, type IdempotencyDeps } from './idempotency.ts';
import { createKeys, type KeyDeps } from './keys.ts';
import { createMappings, type MappingDeps } from './mappings.ts';
import { createVersionHealth, type VersionHealthDeps } from './health.ts';
import { createResends, type ResendDeps } from './resends.ts';
import { createRuns, type RunDeps } from './runs.ts';
import { createSearch, type SearchDeps } from './search.ts';
import { createSamples } from './samples.ts';
import { createSchedules } from './schedules.ts';
import { createSettings } from './settings.ts';
import { createStats, type StatsDeps } from './stats.ts';
import { createSuggest } from './suggest.ts';
import { createTestEvents, type TestEventDeps } from './test-events.ts';
import { createTokens, type TokenDeps } from './tokens.ts';
import { createWebhooks, type WebhookDeps } from './webhooks.ts';

export type AdminDeps = TokenDeps &
  KeyDeps &
  Omit<WebhookDeps, 'resumeHeld'> &
  RunDeps &
  DeadLetterDeps &
  MappingDeps &
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
    deadLetters: createDeadLetters(deps),
    runs,
    suggest: createSuggest(deps),
    settings: createSettings(deps),
    drift: createDrift(deps),
    stats: createStats(deps),
    health: createVersionHealth(deps),
    audit: createAudit(deps),
    attempt: createIdempotency(deps),
    catalogue: referenceData,
    /** How the bodies of these APIs are read: as any sender's JSON. */
    reader: jsonBody,
    mappingSchemas,
  };
}
