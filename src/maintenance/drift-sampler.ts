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
  maxBucketPaths,
  type DriftBucket,
  type ObserveEvent,
  type Observation,
  type PathCounts,
} from '../domain/mappings/drift.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { filledTargets, isMapped } from '../mapping/drift/read-paths.ts';
import { observeBody, decodeTypes } from '../mapping/drift/observe-body.ts';

type DriftSamplerDeps = {
  readonly write: (buckets: readonly DriftBucket[]) => Promise<void>;
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

export function startDriftSampler(deps: DriftSamplerDeps) {
  const { write, clock, logger, intervalMs, ...limits } = { ...defaults, ...deps };
  const buffer = startWriteBehind<DriftBucket>({
    write(buckets) {
      driftBuckets.reset();
      return write(buckets);
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

  /** Never throws. */
  const observe: ObserveEvent = (observation) => {
    try {
      if (isWanted(observation.event)) driftBuckets.count(observation);
    } catch (err) {
      logger.error({ err, eventId: observation.event._id }, 'drift.observation_failed');
    }
  };
  return { observe, flush: buffer.flush, close: buffer.close };
}

// About 5 MB together.
const maxBuckets = 200;
const maxPathsInAll = 20_000;

type BucketOf = (key: string, create: () => DriftBucket) => DriftBucket | null;

/** `entryOf` returns the bucket of a key, or null when there is no room for it. */
function createDriftBuckets(entryOf: BucketOf) {
  let pathsInAll = 0;

  function bucketOf({ event, document }: Observation): DriftBucket | null {
    const { webhookId, mappingVersion: version, receivedAt } = event;
    const hour = Math.floor(+receivedAt / hourMs);
    return entryOf(`${webhookId}:${version}:${hour}`, () => ({
      webhookId,
      version,
      split: document.split ?? '',
      hour: new Date(hour * hourMs),
      events: 0,
      ignored: 0,
      more: 0,
      targets: new Map(),
      paths: new Map(),
    }));
  }

  /** Returns undefined when there is no room for another path. */
  function addPath(bucket: DriftBucket, path: string): PathCounts | undefined {
    if (bucket.paths.size >= maxBucketPaths || pathsInAll >= maxPathsInAll) return undefined;
    pathsInAll += 1;
    const counts: PathCounts = { present: 0, types: {}, lastSeenAt: new Date(0) };
    bucket.paths.set(path, counts);
    return counts;
  }

  function countPaths(bucket: DriftBucket, { item, event }: Observation): void {
    const { paths, isTruncated } = observeBody(item);
    if (isTruncated) bucket.more += 1;
    for (const [path, bits] of paths) {
      const counts = bucket.paths.get(path) ?? addPath(bucket, path);
      if (counts) countTypes(counts, bits, event.receivedAt);
      else bucket.more += 1;
    }
  }

  return {
    count(observation: Observation): void {
      const bucket = bucketOf(observation);
      if (!bucket) return;
      const { document, mapped } = observation;
      bucket.events += 1;
      for (const [target, isFilled] of filledTargets(document, mapped)) {
        bucket.targets.set(target, (bucket.targets.get(target) ?? 0) + (isFilled ? 1 : 0));
      }
      if (isMapped(mapped)) countPaths(bucket, observation);
      else bucket.ignored += 1;
    },

    /** To be called when the buckets were taken out of memory. */
    reset(): void {
      pathsInAll = 0;
    },
  };
}

function countTypes(counts: PathCounts, bits: number, at: Date): void {
  const types = decodeTypes(bits);
  for (const type of types) counts.types[type] = (counts.types[type] ?? 0) + 1;
  if (types.some((type) => type !== 'empty')) counts.present += 1;
  if (at > counts.lastSeenAt) counts.lastSeenAt = at;
}
