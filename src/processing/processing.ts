/** Wires the steps of processing into the one path that workers and tests use. */
import { systemClock, type Clock } from '../base/clock.ts';
import { processName } from '../base/process/process.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { producerOf } from '../producers/registry.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { ObserveEvent } from '../domain/mappings/drift.ts';
import type { RecordOutcome } from '../domain/mappings/version-health.ts';
import type { CountEvent } from '../domain/stats.ts';
import type { Stores } from '../store/stores.ts';
import { createWorkApart } from './isolate-failures.ts';
import { createAmend } from './conversation/update-messages.ts';
import { createConverse } from './conversation/converse.ts';
import { createFindEarlier } from './conversation/earlier-messages.ts';
import { createEnrich } from './contacts/enrich.ts';
import { createFanOut } from './fan-out.ts';
import { createIdentify } from './contacts/identify.ts';
import { createIntroduce } from './conversation/prepare-messages.ts';
import { createDefinitionCache, type DefinitionCache } from './read/definition-cache.ts';
import { createProcessEvents, type Processing } from './process-events.ts';
import { createReader } from './read/read-set.ts';
import { createReport } from './report.ts';
import { createSeat } from './conversation/assign-chats.ts';
import { createSettle } from './plan-finish.ts';
import { createWork, type Work } from './run-stages.ts';

export type ProcessingDeps = {
  readonly stores: Stores;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly leaseMs: number;
  readonly defaultRegion: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly countEvent?: CountEvent;
  readonly observe?: ObserveEvent;
  readonly recordOutcome?: RecordOutcome;
  /** Told when a message is to be delivered outside; without it the courier finds it at its next look. */
  readonly wakeDelivery?: () => void;
};

export function createProcessing(deps: ProcessingDeps): Processing {
  const { stores, clock = systemClock, random = Math.random } = deps;
  const library = createDefinitionCache(stores);
  const retriesOf = async (webhookId: string) =>
    (await library.webhook(webhookId))?.settings.retries;
  return createProcessEvents({
    ...deps,
    clock,
    worker: processName,
    events: stores.events,
    work: createWorkApart({ ...deps, work: assemble({ ...deps, clock, library }) }),
    settle: createSettle({ retriesOf, random }),
    report: createReport({ ...deps, clock }),
  });
}

type Parts = ProcessingDeps & { readonly clock: Clock; readonly library: DefinitionCache };

function assemble(parts: Parts): Work {
  const { stores, clock, wakeDelivery: wakeCourier = () => {} } = parts;
  const now = () => clock.now();
  return createWork({
    contacts: stores.contacts,
    readAll: createReader({ ...parts, events: stores.events, producerOf }),
    identify: createIdentify(stores),
    enrich: createEnrich(stores.contacts),
    converse: createConverse({
      ...stores,
      introduce: createIntroduce(stores),
      findEarlier: createFindEarlier(stores),
      seat: createSeat({ ...stores, now }),
      amend: createAmend({ ...stores, wakeCourier }),
      wakeCourier,
      now,
    }),
    fanOut: createFanOut({ ...parts, ...stores }),
  });
}
