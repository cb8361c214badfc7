/** Wires the steps of processing into the one path that workers and tests use. */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { producerOf } from '../producers/registry.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { Stores } from '../store/stores.ts';
import { createConverse } from './converse.ts';
import { createEnrich } from './enrich.ts';
import { createFanOut } from './fan-out.ts';
import type { Observe } from './gather.ts';
import { createIdentify } from './identify.ts';
import { createIntroduce } from './introduce.ts';
import { createLibrary } from './library.ts';
import { createProcessEvents, type ProcessEvents } from './process-events.ts';
import { createReader } from './reader.ts';
import { createReport } from './report.ts';
import { createSeat } from './seat.ts';
import { createWork } from './work.ts';

export type ProcessingDeps = {
  readonly stores: Stores;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly leaseMs: number;
  readonly defaultRegion: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Told of every event that is mapped; must not throw. */
  readonly observe?: Observe;
};

export function createProcessing(deps: ProcessingDeps): ProcessEvents {
  const { stores, queue, leaseMs, defaultRegion, logger, metrics, clock = systemClock } = deps;
  const { events, contacts, chats, messages } = stores;
  const library = createLibrary(stores);
  const work = createWork({
    library,
    contacts,
    readAll: createReader({
      events,
      library,
      producerOf,
      defaultRegion,
      logger,
      ...(deps.observe && { observe: deps.observe }),
    }),
    identify: createIdentify(stores),
    enrich: createEnrich(contacts),
    converse: createConverse({
      chats,
      messages,
      introduce: createIntroduce(stores),
      seat: createSeat(chats),
    }),
    fanOut: createFanOut({ events, queue, now: () => clock.now() }),
    now: () => clock.now(),
  });
  return createProcessEvents({
    events,
    queue,
    work,
    report: createReport({ logger, metrics, clock }),
    leaseMs,
    logger,
    metrics,
    clock,
    ...(deps.random && { random: deps.random }),
  });
}
