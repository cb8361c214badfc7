/** Drift buckets in memory: counted up event by event, taken as a whole. Bounded; what is beyond is left out. */
import {
  hourMs,
  maxBucketPaths,
  type DriftBucket,
  type Observation,
  type PathCounts,
} from '../domain/drift.ts';
import { filledTargets, isLetThrough } from '../mapping/filled.ts';
import { observeBody, typesOf } from '../mapping/observe.ts';

// Together about 5 MB.
const maxBuckets = 200;
const maxPathsInAll = 20_000;

export function createTally() {
  let buckets = new Map<string, DriftBucket>();
  let pathsInAll = 0;

  function bucketOf({ event, document }: Observation): DriftBucket | undefined {
    const { webhookId, mappingVersion: version, receivedAt } = event;
    const hour = Math.floor(+receivedAt / hourMs);
    const key = `${webhookId}:${version}:${hour}`;
    const known = buckets.get(key);
    if (known || buckets.size >= maxBuckets) return known;
    const blank = { split: document.split ?? '', events: 0, ignored: 0, more: 0 };
    const counts = { targets: new Map<string, number>(), paths: new Map<string, PathCounts>() };
    const fresh = { webhookId, version, hour: new Date(hour * hourMs), ...blank, ...counts };
    buckets.set(key, fresh);
    return fresh;
  }

  function admit(bucket: DriftBucket, path: string): PathCounts | undefined {
    if (bucket.paths.size >= maxBucketPaths || pathsInAll >= maxPathsInAll) return undefined;
    pathsInAll += 1;
    const counts: PathCounts = { present: 0, types: {}, lastSeenAt: new Date(0) };
    bucket.paths.set(path, counts);
    return counts;
  }

  function countPaths(bucket: DriftBucket, { item, event }: Observation): void {
    const { paths, isCut } = observeBody(item);
    if (isCut) bucket.more += 1;
    for (const [path, bits] of paths) {
      const counts = bucket.paths.get(path) ?? admit(bucket, path);
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
      if (isLetThrough(mapped)) countPaths(bucket, observation);
      else bucket.ignored += 1;
    },

    /** What was counted since the last time. */
    take(): DriftBucket[] {
      const counted = [...buckets.values()];
      buckets = new Map();
      pathsInAll = 0;
      return counted;
    },
  };
}

function countTypes(counts: PathCounts, bits: number, at: Date): void {
  const types = typesOf(bits);
  for (const type of types) counts.types[type] = (counts.types[type] ?? 0) + 1;
  if (types.some((type) => type !== 'empty')) counts.present += 1;
  if (at > counts.lastSeenAt) counts.lastSeenAt = at;
}
