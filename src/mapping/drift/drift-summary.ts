/**
 * What a sender sends, and what of it changed under the mapping: made from the buckets when somebody asks.
 *
 * Promises: pure; only what the active mapping reads is worth a warning, and what is new beside it a hint.
 */
import {
  seenTypes,
  type DriftBucket,
  type DriftWarning,
  type SeenType,
} from '../../domain/mappings/drift.ts';
import type { MappingDocument } from '../../domain/mappings/mapping.ts';
import { findDrop, findRise, type ShareChange, type ShareSeries } from './share-change.ts';
import { createPathMatcher, readPathsByTarget } from './read-paths.ts';

export type PathSummary = {
  readonly path: string;
  /** Most frequent first; of all values seen, each event counting once a type. */
  readonly types: readonly { readonly type: SeenType; readonly share: number }[];
  /** Share of the events in which it had a value that says something. */
  readonly presence: number;
  readonly lastSeenAt: Date;
  /** Whether the active mapping reads it. */
  readonly mapped: boolean;
};

export type DriftSummary = {
  readonly observedSince: Date | null;
  readonly events: number;
  readonly ignored: number;
  /** False when paths were left out, because there are too many. */
  readonly complete: boolean;
  readonly paths: readonly PathSummary[];
  readonly warnings: readonly DriftWarning[];
};

const maxPaths = 500;
const maxWarnings = 50;
/** A new path is news for this long. */
const newForMs = 7 * 86_400_000;

/** Newest bucket first. Without a document nothing is mapped, and nothing can be missing. */
export function summarizeDrift(
  buckets: readonly DriftBucket[],
  document: MappingDocument | null,
): DriftSummary {
  const split = document?.split ?? '';
  // Of another split, the same path would mean something else.
  const alike = buckets.filter((bucket) => bucket.split === split);
  const known = knownPaths(alike);
  const reads = readPathsByTarget(document ?? {});
  const isRead = createPathMatcher([...reads.values()].flatMap((paths) => [...paths]));
  const passed = alike.reduce((sum, bucket) => sum + passedOf(bucket), 0);
  const paths = [...known]
    .toSorted(([, a], [, b]) => b.present - a.present)
    .slice(0, maxPaths)
    .map(([path, counts]) => pictureOf(path, counts, { passed, mapped: isRead(path) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    observedSince: buckets.at(-1)?.hour ?? null,
    events: buckets.reduce((sum, { events }) => sum + events, 0),
    ignored: buckets.reduce((sum, { ignored }) => sum + ignored, 0),
    complete: known.size <= maxPaths && alike.every(({ more }) => more === 0),
    paths,
    warnings: document ? warn({ buckets, alike, known: [...known.keys()], reads }) : [],
  };
}

const passedOf = ({ events, ignored }: DriftBucket): number => events - ignored;

type Known = { present: number; types: Map<SeenType, number>; lastSeenAt: Date };

function knownPaths(buckets: readonly DriftBucket[]): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const { paths } of buckets) {
    for (const [path, { present, types, lastSeenAt }] of paths) {
      const one = known.get(path) ?? { present: 0, types: new Map(), lastSeenAt };
      one.present += present;
      if (lastSeenAt > one.lastSeenAt) one.lastSeenAt = lastSeenAt;
      for (const type of seenTypes) {
        if (types[type]) one.types.set(type, (one.types.get(type) ?? 0) + types[type]);
      }
      known.set(path, one);
    }
  }
  return known;
}

function pictureOf(
  path: string,
  { present, types, lastSeenAt }: Known,
  { passed, mapped }: { passed: number; mapped: boolean },
): PathSummary {
  const seen = [...types.values()].reduce((sum, count) => sum + count, 0);
  return {
    path,
    types: [...types]
      .map(([type, count]) => ({ type, share: count / seen }))
      .toSorted((a, b) => b.share - a.share),
    presence: passed === 0 ? 0 : Math.min(1, present / passed),
    lastSeenAt,
    mapped,
  };
}

type Evidence = {
  readonly buckets: readonly DriftBucket[];
  /** Those under the same split: only their paths can be compared. */
  readonly alike: readonly DriftBucket[];
  readonly known: readonly string[];
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
};

function warn(evidence: Evidence): DriftWarning[] {
  const byTarget = new Map<string, string[]>();
  for (const [target, reads] of evidence.reads) {
    byTarget.set(target, evidence.known.filter(createPathMatcher(reads)));
  }
  const mapped = new Set([...byTarget.values()].flat());
  const gone = new Map<string, ShareChange>();
  for (const path of mapped) {
    const drop = findDrop(presence(evidence.alike, path));
    if (drop) gone.set(path, drop);
  }
  const targets = targetWarnings(evidence.buckets, { byTarget, gone });
  const told = new Set(targets.map(({ path }) => path));
  return [
    ...targets,
    ...[...gone]
      .filter(([path]) => !told.has(path))
      .map(([path, drop]) => dropWarning({ target: readerOf(byTarget, path), path }, drop)),
    ...[...mapped].flatMap((path) => typeWarning(evidence.alike, path, readerOf(byTarget, path))),
    ...newPaths(evidence, mapped),
  ].slice(0, maxWarnings);
}

const readerOf = (byTarget: ReadonlyMap<string, readonly string[]>, path: string): string | null =>
  [...byTarget].find(([, paths]) => paths.includes(path))?.[0] ?? null;

/** Only targets that the active mapping has; in buckets of versions that had them too. */
function targetWarnings(
  buckets: readonly DriftBucket[],
  found: {
    readonly byTarget: ReadonlyMap<string, readonly string[]>;
    readonly gone: ReadonlyMap<string, ShareChange>;
  },
): DriftWarning[] {
  return [...found.byTarget].flatMap(([target, paths]) => {
    const drop = findDrop(
      buckets.flatMap((bucket) => {
        const hits = bucket.targets.get(target);
        const total = target === 'filter' ? bucket.events : passedOf(bucket);
        return hits === undefined ? [] : [{ at: bucket.hour, total, hits }];
      }),
    );
    if (!drop) return [];
    const path = paths.find((one) => found.gone.has(one)) ?? null;
    return [dropWarning({ target, path }, drop)];
  });
}

function dropWarning(
  place: { target: string | null; path: string | null },
  { since, before, after, events }: ShareChange,
): DriftWarning {
  const kind = after === 0 ? 'missing' : 'rarer';
  return { kind, ...place, since, before, after, events, types: null };
}

const presence = (buckets: readonly DriftBucket[], path: string): ShareSeries =>
  buckets.map((bucket) => ({
    at: bucket.hour,
    total: passedOf(bucket),
    hits: bucket.paths.get(path)?.present ?? 0,
  }));

/** What says nothing has no type, so a value that became empty is missing and not changed. */
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
    const now = drop && mostFrequent(buckets, path, drop.since);
    if (!drop || !now || now === type) continue;
    const { since, before, after, events } = drop;
    const types = { before: type, after: now };
    return [{ kind: 'type_changed', target, path, since, before, after, events, types }];
  }
  return [];
}

function mostFrequent(buckets: readonly DriftBucket[], path: string, since: Date): SeenType | null {
  const known = knownPaths(buckets.filter(({ hour }) => hour >= since)).get(path);
  const types = [...(known?.types ?? [])].filter(([type]) => type !== 'empty');
  return types.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Where the picture is cut, what seems new may only have been left out before. */
function newPaths({ alike, known }: Evidence, mapped: ReadonlySet<string>): DriftWarning[] {
  const [newest] = alike;
  if (!newest || alike.some(({ more }) => more > 0)) return [];
  const found = new Map<string, DriftWarning>();
  for (const path of known) {
    if (mapped.has(path)) continue;
    const rise = findRise(presence(alike, path));
    if (!rise || +newest.hour - +rise.since > newForMs) continue;
    const { since, before, after, events } = rise;
    found.set(path, {
      kind: 'new_path',
      target: null,
      path,
      since,
      before,
      after,
      events,
      types: null,
    });
  }
  return [...found].filter(([path]) => !hasParentIn(found, path)).map(([, warning]) => warning);
}

/** Of a part that is new as a whole, only the whole is told. */
function hasParentIn(found: ReadonlyMap<string, unknown>, path: string): boolean {
  for (const parent of found.keys()) {
    if (path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`)) return true;
  }
  return false;
}
