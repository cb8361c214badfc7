import { seenTypes, type DriftBucket, type SeenType } from '../../domain/mappings/drift.ts';

/** How often a path was seen in some buckets. */
export type PathCounts = { present: number; types: Map<SeenType, number>; lastSeenAt: Date };

/** Returns the number of events in a bucket that the filter did not ignore. */
export const mappedEvents = ({ events, ignored }: DriftBucket): number => events - ignored;

export function countPaths(buckets: readonly DriftBucket[]): Map<string, PathCounts> {
  const counts = new Map<string, PathCounts>();
  for (const { paths } of buckets) {
    for (const [path, { present, types, lastSeenAt }] of paths) {
      const sum = counts.get(path) ?? { present: 0, types: new Map(), lastSeenAt };
      sum.present += present;
      if (lastSeenAt > sum.lastSeenAt) sum.lastSeenAt = lastSeenAt;
      for (const type of seenTypes) {
        if (types[type]) sum.types.set(type, (sum.types.get(type) ?? 0) + types[type]);
      }
      counts.set(path, sum);
    }
  }
  return counts;
}
