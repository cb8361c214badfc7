/** Wires processing for a worker process: its caches, its work in progress, and how it ends. */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { processName } from '../base/process/process.ts';
import type { ObserveEvent } from '../domain/mappings/drift.ts';
import type { RecordOutcome } from '../domain/mappings/version-health.ts';
import type { CountEvent } from '../domain/stats.ts';
import { createStoredBodies } from '../producers/stored-body.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { Stores } from '../store/stores.ts';
import { createInFlightSets, type Drain } from './claim/in-flight.ts';
import { processEvents, type ProcessEvents, type ProcessEventsDeps } from './process-events.ts';
import { createDefinitionCache } from './read/definition-cache.ts';

type ProcessingDeps = {
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
  /** Called when a message is due for outbound delivery; without it the dispatcher finds it at its next poll. */
  readonly wakeDelivery?: () => void;
};

type Processing = { readonly processEvents: ProcessEvents; readonly drain: Drain };

export function createProcessing({ stores, ...given }: ProcessingDeps): Processing {
  const inFlight = createInFlightSets({ ...given, ...stores });
  const deps: ProcessEventsDeps = {
    clock: systemClock,
    random: Math.random,
    wakeDelivery: () => {},
    ...given,
    ...stores,
    inFlight,
    definitions: createDefinitionCache(stores),
    bodies: createStoredBodies(stores),
    worker: processName,
  };
  return {
    processEvents: (eventIds, options) => processEvents(deps, eventIds, options),
    drain: inFlight.drain,
  };
}
