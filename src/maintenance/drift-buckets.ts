/** Counts observed events into drift buckets. Memory is bounded; buckets and paths beyond the bounds are left out. */
import {
  hourMs,
  maxBucketPaths,
  type DriftBucket,
  type Observation,
  type PathCounts,
} from '../domain/mappings/drift.ts';
import { filledTargets, passedFilter } from '../mapping/drift/filled-targets.ts';
import { observeBody, decodeTypes } from '../mapping/drift/observe-body.ts';

// About 5 MB together.
export const maxBuckets = 200;
const maxPathsInAll = 20_000;

type BucketOf = (key: string, create: () => DriftBucket) => DriftBucket | null;

/** `entryOf` returns the bucket of a key, or null when there is no room for it. */
export function createDriftBuckets(entryOf: BucketOf) {
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
      if (passedFilter(mapped)) countPaths(bucket, observation);
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
