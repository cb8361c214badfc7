/** Composes the parts of a worker process. `over` replaces parts, for tests. */
import type { Config } from '../../config/config.ts';
import { startLiveness } from '../../workers/liveness.ts';
import { startProcessEvents } from '../../workers/process-events.ts';
import { createDeadline } from '../base/process/deadline.ts';
import { processName } from '../base/process/process.ts';
import { createDeliverers } from '../channels/registry.ts';
import { attemptDelivery, reportSpent } from '../delivery/attempt.ts';
import { createChannelGate } from '../delivery/channel-gate.ts';
import { startDispatcher, type Dispatcher } from '../delivery/dispatcher.ts';
import { startDriftSampler } from '../maintenance/drift-sampler.ts';
import { startInstallationGauges } from '../maintenance/installation-gauges.ts';
import { startMaintenance } from '../maintenance/maintenance.ts';
import { startOutcomeCounter } from '../maintenance/outcome-counter.ts';
import { startStatsRollUp } from '../maintenance/stats-roll-up.ts';
import { assembleNotices } from './notices.ts';
import { createInFlightSets, type Drain } from '../processing/sets/in-flight.ts';
import {
  processEvents,
  type ProcessEvents,
  type ProcessEventsDeps,
} from '../processing/process-events.ts';
import { startSetExpiry } from '../processing/sets/expire-sets.ts';
import { createDefinitionCache } from '../processing/read/definition-cache.ts';
import { assembleRecovery } from './recovery.ts';
import { addDrift } from '../store/counters/drift.ts';
import { dropSet } from '../store/sets/sets.ts';
import type { Resources } from './resources.ts';

type DeliveryConfig = Pick<Config, 'allowedDestinations' | 'leaseMs'>;

type DispatcherParts = {
  readonly intervalMs?: number;
  readonly random?: () => number;
  readonly channelStateMs?: number;
};

export function assembleDelivery(
  config: DeliveryConfig,
  { stores, ...resources }: Resources,
  over: DispatcherParts = {},
): Dispatcher {
  const deps = {
    ...config,
    ...resources,
    connection: stores.connection,
    random: Math.random,
    deliveries: stores.deliveries,
    contacts: { get: stores.inbox.getContact },
    deliverers: createDeliverers({ ...config, ...resources, now: () => resources.clock.now() }),
    ...over,
  };
  const gate = createChannelGate(deps);
  return startDispatcher({
    ...deps,
    gate,
    attempt: (claimed) => attemptDelivery({ ...deps, gate }, claimed),
    reportSpent: (message) => reportSpent(deps, message),
  });
}

type ProcessingConfig = Pick<Config, 'leaseMs' | 'defaultRegion' | 'hangMs'>;
export type ProcessingParts = Partial<
  Pick<
    ProcessEventsDeps,
    'random' | 'countEvent' | 'observe' | 'recordOutcome' | 'wakeDelivery' | 'onStep'
  >
>;
type Processing = { readonly processEvents: ProcessEvents; readonly drain: Drain };

function openDefinitions({ stores, closing, ...resources }: Resources) {
  const definitions = createDefinitionCache({ ...stores, ...resources });
  closing.add('definitions', () => definitions.close());
  return definitions;
}

export function assembleProcessing(
  config: ProcessingConfig,
  { stores, ...resources }: Resources,
  over: ProcessingParts = {},
): Processing {
  const { connection } = stores;
  const inFlight = createInFlightSets({
    ...resources,
    dropSet: (token) => dropSet(connection, token),
  });
  const deps: ProcessEventsDeps = {
    ...config,
    ...stores,
    ...resources,
    inFlight,
    definitions: openDefinitions({ stores, ...resources }),
    worker: processName,
    // Ends before the watchdog ends the process.
    deadline: createDeadline(Math.floor(config.hangMs / 3)),
    random: Math.random,
    wakeDelivery: () => {},
    ...over,
  };
  return {
    processEvents: (eventIds, options) => processEvents(deps, eventIds, options),
    drain: inFlight.drain,
  };
}

/** Measures the backlog and the stock of the installation. */
function startGauges(resources: Resources): void {
  const gauges = startInstallationGauges(resources);
  resources.closing.add('gauges', () => gauges.close(), 6_000);
}

function startRollUp({ stores, closing, ...resources }: Resources): void {
  const rollUp = startStatsRollUp({ ...stores, ...resources, election: stores.statsElection });
  closing.add('stats roll-up', () => rollUp.close(), 6_000);
}

/** Counts the shapes of bodies for drift detection, and the outcomes of each mapping version. */
function startCounters({ stores, closing, ...resources }: Resources) {
  const sampler = startDriftSampler({
    ...resources,
    write: (buckets) => addDrift(stores, buckets),
  });
  closing.add('drift sampler', () => sampler.close());
  const outcomes = startOutcomeCounter({ ...stores, ...resources });
  closing.add('outcome counter', () => outcomes.close());
  return { observe: sampler.observe, recordOutcome: outcomes.record };
}

/** Longer than a drain takes. */
const drainMs = 16_000;

type WorkerParts = { readonly delivery: Dispatcher; readonly onStuck: () => void };

/** Starts to process events, and adds its shutdown steps. The drain closes `delivery` too. */
export function assembleWorker(
  config: Config,
  resources: Resources,
  { delivery, onStuck }: WorkerParts,
) {
  const { stores, queue, clock, logger, metrics, closing } = resources;
  startMaintenance(resources, config);
  startGauges(resources);
  startRollUp(resources);
  assembleNotices(config, resources);
  const counters = startCounters(resources);
  const processing = assembleProcessing(config, resources, {
    ...counters,
    wakeDelivery: delivery.wake,
  });
  const expiry = startSetExpiry({ ...config, ...stores, ...resources, ...counters });
  closing.add('set expiry', () => expiry.close(), 5_000);
  const limitMs = config.livenessMs;
  const liveness = startLiveness({ ...stores, queue, limitMs, clock, logger, onStuck });
  closing.add('liveness', () => liveness.close());
  assembleRecovery(config, resources);
  const consumer = startProcessEvents({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    concurrency: config.concurrency,
    processEvents: liveness.watch(processing.processEvents),
    queue,
    logger,
    metrics,
  });
  const drain = () => Promise.all([processing.drain(consumer.close()), delivery.close()]);
  closing.add('consumer', drain, drainMs);
  return { consumer, liveness };
}
