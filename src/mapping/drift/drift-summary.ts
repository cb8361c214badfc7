/**
 * Summarizes what a sender sends, and what of it changed, from the stored buckets.
 *
 * Promises: no side effects; warnings concern only what the active mapping reads, and new paths that it does not read.
 */
import type { DriftBucket, SeenType } from '../../domain/mappings/drift.ts';
import type { MappingDocument } from '../../domain/mappings/mapping.ts';
import { driftWarnings } from './drift-warnings.ts';
import { createPathMatcher, readPathsByTarget } from './read-paths.ts';
import { countPaths, mappedEvents, type PathCounts } from './share-change.ts';

export type PathSummary = {
  readonly path: string;
  /** Most frequent first. An event counts once for each type that it has at the path. */
  readonly types: readonly { readonly type: SeenType; readonly share: number }[];
  /** The share of the events that have a value here that is not empty. */
  readonly presence: number;
  readonly lastSeenAt: Date;
  /** Whether the active mapping reads the path. */
  readonly mapped: boolean;
};

const maxPaths = 500;

/** `buckets` are newest first. Without a document no path is mapped, and there are no warnings. */
export function summarizeDrift(buckets: readonly DriftBucket[], document: MappingDocument | null) {
  const split = document?.split ?? '';
  // Under another split, the same path means another value.
  const comparable = buckets.filter((bucket) => bucket.split === split);
  const counts = countPaths(comparable);
  const reads = readPathsByTarget(document ?? {});
  const isRead = createPathMatcher([...reads.values()].flatMap((paths) => [...paths]));
  const events = comparable.reduce((sum, bucket) => sum + mappedEvents(bucket), 0);
  const paths = [...counts]
    .toSorted(([, a], [, b]) => b.present - a.present)
    .slice(0, maxPaths)
    .map(([path, pathCounts]) => summarizePath(path, pathCounts, { events, mapped: isRead(path) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    observedSince: buckets.at(-1)?.hour ?? null,
    events: buckets.reduce((sum, bucket) => sum + bucket.events, 0),
    ignored: buckets.reduce((sum, { ignored }) => sum + ignored, 0),
    /** False when there are too many paths and some were left out. */
    complete: counts.size <= maxPaths && comparable.every(({ more }) => more === 0),
    paths,
    warnings: document
      ? driftWarnings({ buckets, comparable, known: [...counts.keys()], reads })
      : [],
  };
}

function summarizePath(
  path: string,
  { present, types, lastSeenAt }: PathCounts,
  { events, mapped }: { events: number; mapped: boolean },
): PathSummary {
  const seen = [...types.values()].reduce((sum, count) => sum + count, 0);
  return {
    path,
    types: [...types]
      .map(([type, count]) => ({ type, share: count / seen }))
      .toSorted((a, b) => b.share - a.share),
    presence: events === 0 ? 0 : Math.min(1, present / events),
    lastSeenAt,
    mapped,
  };
}
