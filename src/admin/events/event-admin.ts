/** Composes the administration of events. */
import type { AdminDeps } from '../dependencies.ts';
import { createLive } from '../live/live-events.ts';
import { createDeliveries } from './deliveries.ts';
import { createExport } from './event-export.ts';
import { createSearch } from './event-search.ts';
import { createEvents } from './events.ts';
import { createResends } from './resends.ts';
import { createRuns } from './runs.ts';
import { createTestEvents } from './test-events.ts';

export function createEventAdmin(deps: AdminDeps) {
  const search = createSearch(deps);
  return {
    events: createEvents(deps),
    search,
    export: createExport({ ...deps, search }),
    resends: createResends(deps),
    live: createLive(deps),
    runs: createRuns(deps),
    testEvents: createTestEvents(deps),
    deadLetters: { list: deps.events.groupDeadLetters },
    deliveries: createDeliveries(deps),
  };
}
