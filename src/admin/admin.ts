/**
 * The administration as plain functions, one part for each resource.
 *
 * Promises: every change is in the audit log with its actor. Receivers reload what changed before the change is
 * answered.
 * Must never: depend on HTTP.
 */
import { systemClock } from '../base/clock.ts';
import { mappingSchemas } from '../mapping/language/schema.ts';
import { formOrJsonBody } from '../producers/decode/body.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { createAgents } from './agents.ts';
import { createAuditLog } from './audit-log.ts';
import { createChannels } from './channels.ts';
import { createConsoleSessions } from './console-sessions.ts';
import { createDatabaseVerification } from './database.ts';
import type { AdminDeps } from './dependencies.ts';
import { createDeliveries } from './events/deliveries.ts';
import { summarizeEffects } from './events/event-effects.ts';
import { createDrills } from './drills.ts';
import { createEventExport } from './events/event-export.ts';
import { createEventSearch } from './events/event-search.ts';
import { createEvents } from './events/events.ts';
import { createResends } from './events/resends.ts';
import { createRuns } from './events/runs.ts';
import { createTestEvents } from './events/test-events.ts';
import { createIdempotency } from './idempotency.ts';
import { createLiveEvents } from './live/live-events.ts';
import { createLiveRequests } from './live/live-requests.ts';
import { createDrift } from './mappings/drift.ts';
import { createMappings } from './mappings/mappings.ts';
import { createPreviews } from './mappings/previews.ts';
import { createRepair } from './mappings/repair.ts';
import { createSuggestions } from './mappings/suggestions.ts';
import { createVersionHealth } from './mappings/version-health.ts';
import { createWorkLimit } from './mappings/work-limit.ts';
import { createNotices } from './notices/notices.ts';
import { createRejections } from './payloads/rejections.ts';
import { createSamples } from './payloads/samples.ts';
import { createChats } from './people/chats.ts';
import { createContacts } from './people/contacts.ts';
import { createErasures } from './people/erasures.ts';
import { referenceData } from './reference-data.ts';
import { createStats } from './stats.ts';
import { createTokens } from './tokens.ts';
import { createActivation } from './webhooks/activation.ts';
import { createConfigurations } from './webhooks/configurations.ts';
import { createPathKeys } from './webhooks/path-keys.ts';
import { createScheduledActivations } from './webhooks/scheduled-activations.ts';
import { createWebhookRegistration } from './webhooks/registration.ts';
import { createSettings } from './webhooks/settings.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: AdminDeps) {
  const search = createEventSearch(deps);
  const runs = createRuns(deps);
  const tokens = createTokens(deps);
  const limitWork = createWorkLimit(deps);
  const samples = createSamples(deps);
  const { activate, rollback, executeSchedule } = createActivation(deps);
  const pathKeys = createPathKeys(deps);
  const settings = createSettings(deps);
  const audit = createAuditLog(deps);
  return {
    channels: createChannels(deps),
    webhooks: createWebhooks({ ...deps, resumeHeld: runs.resume }),
    configurations: createConfigurations(deps),
    keys: pathKeys,
    settings,
    register: createWebhookRegistration({ ...deps, pathKeys, settings }),
    activate,
    rollback,
    schedules: createScheduledActivations({ ...deps, executeSchedule }),
    samples,
    rejections: createRejections({ clock: systemClock, ...deps, samples }),
    mappings: { ...createMappings(deps), ...createPreviews({ ...deps, limitWork }) },
    suggest: createSuggestions({ ...deps, limitWork }),
    repair: createRepair({ ...deps, limitWork }),
    drift: createDrift(deps),
    health: createVersionHealth(deps),
    events: createEvents(deps),
    search,
    summarizeEffects: summarizeEffects(deps),
    export: createEventExport({ ...deps, search }),
    resends: createResends(deps),
    live: createLiveEvents(deps),
    liveRequests: createLiveRequests(deps),
    runs,
    testEvents: createTestEvents(deps),
    deadLetters: { list: deps.events.groupDeadLetters },
    deliveries: createDeliveries(deps),
    notices: createNotices(deps),
    contacts: createContacts(deps),
    agents: createAgents(deps),
    chats: createChats(deps),
    startDrill: createDrills(deps),
    database: createDatabaseVerification({ ...deps, audit }),
    erasures: createErasures(deps),
    tokens,
    consoleSessions: createConsoleSessions({ ...deps, ...tokens }),
    stats: createStats(deps),
    audit,
    attempt: createIdempotency(deps),
    catalogue: referenceData,
    /** Decodes request bodies of the APIs as JSON of a sender. */
    reader: jsonBody,
    /** Decodes them as JSON or as a form. */
    formReader: formOrJsonBody,
    mappingSchemas,
  };
}
