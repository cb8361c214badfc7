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
import { createChannels } from './channels/channels.ts';
import { createConsoleSessions } from './access/console-sessions.ts';
import { createDatabaseVerification } from './installation/database.ts';
import type { ApiContext } from './context.ts';
import { createRetry } from './channels/deliveries.ts';
import { summarizeEffects } from './events/event-effects.ts';
import { createDrills } from './installation/drills.ts';
import { createEventExport } from './events/event-export.ts';
import { createEventSearch } from './events/event-search.ts';
import { createEvents } from './events/events.ts';
import { listResends } from './events/resends.ts';
import { createTestEvents } from './events/test-events.ts';
import { createIdempotency } from './access/idempotency.ts';
import { createLiveEvents } from './events/live-events.ts';
import { createNotices } from './notices/notices.ts';
import { createRejections } from './samples/rejections.ts';
import { createSamples } from './samples/samples.ts';
import { createChats } from './people/chats.ts';
import { createContacts } from './people/contacts.ts';
import { createErasures } from './people/erasures.ts';
import { referenceData } from './installation/reference-data.ts';
import { createStats } from './stats/stats.ts';
import { createTokens } from './access/tokens.ts';

const bind =
  <Deps, Args extends readonly unknown[], Result>(
    run: (deps: Deps, ...args: Args) => Result,
    deps: Deps,
  ) =>
  (...args: Args): Result =>
    run(deps, ...args);

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: ApiContext) {
  const search = createEventSearch(deps);
  const tokens = createTokens(deps);
  const samples = createSamples(deps);
  const { list, stream, get } = deps.audit;
  return {
    channels: createChannels(deps),
    webhooks: deps.webhooks,
    samples,
    rejections: createRejections({ ...deps, samples }),
    events: createEvents(deps),
    search,
    summarizeEffects: bind(summarizeEffects, deps),
    export: createEventExport({ ...deps, search }),
    listResends: bind(listResends, deps),
    live: createLiveEvents(deps),
    testEvents: createTestEvents(deps),
    listDeadLetters: deps.events.groupDeadLetters,
    deliveries: { ...deps.deliveries, retry: createRetry(deps.deliveries) },
    notices: createNotices(deps),
    contacts: createContacts(deps),
    agents: createAgents(deps),
    chats: createChats(deps),
    startDrill: createDrills(deps),
    database: createDatabaseVerification(deps),
    recordBackupVerification: deps.backupVerifications.record,
    erasures: createErasures(deps),
    tokens,
    consoleSessions: createConsoleSessions({ ...deps, ...tokens }),
    stats: createStats(deps),
    audit: { list, stream, get },
    attempt: createIdempotency(deps),
    catalogue: referenceData,
    reader: jsonBody,
    formReader: formOrJsonBody,
    mappingSchemas,
  };
}
