/**
 * Samples the shape of the bodies that senders send, so that drift can be detected: counted in memory, written every ten
 * seconds in one bulk.
 *
 * Promises: processing never waits for it and never fails by it; memory is bounded; under load only a sample is observed, which
 * bounds the cost. The counts are approximate: a process that dies loses what it has not written, and an event is counted
 * twice when its set fails and is processed again event by event. Retries and replays of an event are not counted.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startWriteBehind } from '../base/write-behind.ts';
import {
  hourMs,
  driftKeptDays,
  type DriftBucket,
  type ObserveEvent,
} from '../domain/mappings/drift.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { DriftStore } from '../store/counters/drift.ts';
import { createDriftBuckets, maxBuckets } from './drift-buckets.ts';

export type DriftSampler = {
  /** Never throws. */
  readonly observe: ObserveEvent;
  /** Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

type DriftSamplerDeps = {
  readonly drift: Pick<DriftStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Events of one webhook that this process observes in a second. */
  readonly perSecond?: number;
  /** Events of all webhooks that this process observes in a second. */
  readonly perSecondInAll?: number;
  readonly intervalMs?: number;
};

// Observing an event takes 12 to 30 µs, processing it about 500 µs: 200 a second are below 1 % of a core.
const defaults = { perSecond: 20, perSecondInAll: 200, intervalMs: 10_000 };
// A large body counts as several events: observing 1 MB may take 8 ms.
const bytesPerEvent = 16_384;

export function startDriftSampler(deps: DriftSamplerDeps): DriftSampler {
  const { drift, clock, logger, intervalMs, ...limits } = { ...defaults, ...deps };
  const buffer = startWriteBehind<DriftBucket>({
    write(buckets) {
      driftBuckets.reset();
      return drift.add(buckets);
    },
    onFailure: (err, buckets) => logger.warn({ err, buckets: buckets.length }, 'drift.not_saved'),
    maxEntries: maxBuckets,
    intervalMs,
  });
  const driftBuckets = createDriftBuckets(buffer.entryOf);
  let second = 0;
  let seenInSecond = new Map<string, number>();
  let seenInAll = 0;

  function isWanted(event: EventRecord): boolean {
    const { webhookId, attempts, generation, receivedAt, bodyBytes } = event;
    if (event.test || attempts > 1 || generation > 0) return false;
    if (+clock.now() - +receivedAt > driftKeptDays * 24 * hourMs) return false;
    const now = Math.floor(clock.elapsedMs() / 1_000);
    if (now !== second) {
      second = now;
      seenInSecond = new Map();
      seenInAll = 0;
    }
    const seen = seenInSecond.get(webhookId) ?? 0;
    if (seen >= limits.perSecond || seenInAll >= limits.perSecondInAll) return false;
    const weight = 1 + Math.floor(bodyBytes / bytesPerEvent);
    seenInSecond.set(webhookId, seen + weight);
    seenInAll += weight;
    return true;
  }

  return {
    observe(observation) {
      try {
        if (isWanted(observation.event)) driftBuckets.count(observation);
      } catch (err) {
        logger.error({ err, eventId: observation.event._id }, 'drift.observation_failed');
      }
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}
