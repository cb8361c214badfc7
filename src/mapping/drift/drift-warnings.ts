/** Warnings about what changed in the payloads under the active mapping. */
import {
  seenTypes,
  type DriftBucket,
  type DriftWarning,
  type SeenType,
} from '../../domain/mappings/drift.ts';
import { createPathMatcher } from './read-paths.ts';
import {
  findDrop,
  findRise,
  countPaths,
  mappedEvents,
  type ShareChange,
  type ShareSeries,
} from './share-change.ts';

const maxWarnings = 50;
/** A path counts as new for this long after it appeared. */
const newForMs = 7 * 86_400_000;

type DriftEvidence = {
  /** Newest first. */
  readonly buckets: readonly DriftBucket[];
  /** The buckets with the split of the active mapping: only their paths can be compared. */
  readonly comparable: readonly DriftBucket[];
  /** All paths of the comparable buckets. */
  readonly known: readonly string[];
  /** By target, the paths that the active mapping reads. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
};

type PathsByTarget = ReadonlyMap<string, readonly string[]>;

/** Returns at most 50 warnings: targets first, then paths without a warning of their target, types and new paths. */
export function driftWarnings(evidence: DriftEvidence): DriftWarning[] {
  const { buckets, comparable, known, reads } = evidence;
  const byTarget = new Map<string, string[]>();
  for (const [target, paths] of reads) {
    byTarget.set(target, known.filter(createPathMatcher(paths)));
  }
  const mapped = new Set([...byTarget.values()].flat());
  const drops = new Map<string, ShareChange>();
  for (const path of mapped) {
    const drop = findDrop(presenceOf(comparable, path));
    if (drop) drops.set(path, drop);
  }
  const targets = targetWarnings(buckets, { byTarget, drops });
  const reported = new Set(targets.map(({ path }) => path));
  return [
    ...targets,
    ...[...drops]
      .filter(([path]) => !reported.has(path))
      .map(([path, drop]) => dropWarning({ target: targetOf(byTarget, path), path }, drop)),
    ...[...mapped].flatMap((path) => typeWarning(comparable, path, targetOf(byTarget, path))),
    ...newPathWarnings(evidence, mapped),
  ].slice(0, maxWarnings);
}

const targetOf = (byTarget: PathsByTarget, path: string): string | null =>
  [...byTarget].find(([, paths]) => paths.includes(path))?.[0] ?? null;

/** Compares only buckets whose mapping version had the target too. */
function targetWarnings(
  buckets: readonly DriftBucket[],
  {
    byTarget,
    drops,
  }: {
    readonly byTarget: PathsByTarget;
    readonly drops: ReadonlyMap<string, ShareChange>;
  },
): DriftWarning[] {
  return [...byTarget].flatMap(([target, paths]) => {
    const drop = findDrop(
      buckets.flatMap((bucket) => {
        const hits = bucket.targets.get(target);
        const total = target === 'filter' ? bucket.events : mappedEvents(bucket);
        return hits === undefined ? [] : [{ at: bucket.hour, total, hits }];
      }),
    );
    if (!drop) return [];
    const path = paths.find((each) => drops.has(each)) ?? null;
    return [dropWarning({ target, path }, drop)];
  });
}

function dropWarning(
  { target, path }: { target: string | null; path: string | null },
  { since, before, after, events }: ShareChange,
): DriftWarning {
  const kind = after === 0 ? 'missing' : 'rarer';
  return { kind, target, path, since, before, after, events, types: null };
}

const presenceOf = (buckets: readonly DriftBucket[], path: string): ShareSeries =>
  buckets.map((bucket) => ({
    at: bucket.hour,
    total: mappedEvents(bucket),
    hits: bucket.paths.get(path)?.present ?? 0,
  }));

/** Empty values have no type here: a value that became empty is missing, not changed. */
function typeWarning(
  buckets: readonly DriftBucket[],
  path: string,
  target: string | null,
): DriftWarning[] {
  for (const type of seenTypes) {
    if (type === 'empty') continue;
    const drop = findDrop(
      buckets.map(({ hour, paths }) => {
        const counts = paths.get(path);
        return { at: hour, total: counts?.present ?? 0, hits: counts?.types[type] ?? 0 };
      }),
    );
    const newType = drop && mostFrequentType(buckets, path, drop.since);
    if (!drop || !newType || newType === type) continue;
    const { since, before, after, events } = drop;
    const types = { before: type, after: newType };
    return [{ kind: 'type_changed', target, path, since, before, after, events, types }];
  }
  return [];
}

function mostFrequentType(
  buckets: readonly DriftBucket[],
  path: string,
  since: Date,
): SeenType | null {
  const counts = countPaths(buckets.filter(({ hour }) => hour >= since)).get(path);
  const types = [...(counts?.types ?? [])].filter(([type]) => type !== 'empty');
  return types.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Returns nothing when buckets left paths out: a path that seems new may have been left out before. */
function newPathWarnings(
  { comparable, known }: DriftEvidence,
  mapped: ReadonlySet<string>,
): DriftWarning[] {
  const [newest] = comparable;
  if (!newest || comparable.some(({ more }) => more > 0)) return [];
  const found = new Map<string, DriftWarning>();
  for (const path of known) {
    if (mapped.has(path)) continue;
    const rise = findRise(presenceOf(comparable, path));
    if (!rise || +newest.hour - +rise.since > newForMs) continue;
    const { since, before, after, events } = rise;
    const kind = 'new_path';
    found.set(path, { kind, target: null, path, since, before, after, events, types: null });
  }
  return [...found].filter(([path]) => !hasParentIn(found, path)).map(([, warning]) => warning);
}

/** Whether an outer part of the path is new too. Only the outermost new path is reported. */
function hasParentIn(found: ReadonlyMap<string, unknown>, path: string): boolean {
  for (const parent of found.keys()) {
    if (path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`)) return true;
  }
  return false;
}
