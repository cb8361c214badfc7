/**
 * Repairs a mapping after a sender changed its payloads: compares a payload that failed with one that worked, and replaces the
 * paths that are gone with the new ones that look like them. The old paths stay as fallbacks.
 *
 * Promises: deterministic and bounded; a path that still reads a value is not changed; one new path replaces one old path.
 * Must never: throw, other than WorkBudgetExceeded, or read anything but its arguments.
 */
import type {
  MappingDocument,
  PathSource,
  Payload,
  Source,
} from '../../src/domain/mappings/mapping.ts';
import { sourcesOf } from '../../src/mapping/drift/read-paths.ts';
import { pathsOfTemplateText } from '../../src/mapping/transforms/template-text.ts';
import { compileExpression } from '../../src/mapping/expressions/expression.ts';
import { evaluate } from '../../src/mapping/expressions/interpreter.ts';
import { createWorkBudget, type WorkBudget } from '../../src/mapping/expressions/work-budget.ts';
import { displayPath, sourceOfLeaf } from '../candidate.ts';
import { chargeStep } from '../charge-step.ts';
import { exampleOf, type Leaf } from '../leaves/leaf.ts';
import type { Suggestion } from '../suggest.ts';
import { isEmpty, isScalar } from '../../src/mapping/value.ts';
import { maxWorkPerRequest } from '../../src/mapping/work-limits.ts';
import { keysOf, leavesOf, namesOfKey } from './leaves.ts';
import { mapPathSources } from '../../src/mapping/language/map-sources.ts';
import { repairSplit } from './repair-split.ts';
import {
  isDistinct,
  kindOfValue,
  similarityOf,
  type Field,
  type ValueKind,
  type Replacement,
} from './similarity.ts';

export type Repair = {
  readonly replacements: Replacement[];
  /** Targets that read a value before and read none now, without a path that looks like theirs. */
  readonly unresolved: string[];
  /** Paths of the payload that worked that the failed one does not have, and the reverse. At most 50 each. */
  readonly gone: string[];
  readonly added: string[];
  readonly mapping: MappingDocument;
};

type RepairInput = {
  readonly document: MappingDocument;
  /** Null when no payload that worked is stored any more. */
  readonly worked: Payload | null;
  readonly failed: Payload;
  /** The suggestion for the failed payload. */
  readonly suggestion: Pick<Suggestion, 'mapping' | 'confidence' | 'alternatives'>;
  /** Two-letter region of phone numbers without a country code. */
  readonly region: string;
  readonly budget?: WorkBudget;
};

const maxPaths = 50;
/** Paths that are compared with each other. */
const [maxLost, maxAdded] = [100, 500];
const minSimilarity = 0.5;
/** Added when the payloads have one gone and one new field of this kind of value. */
const onlyOneBonus = 0.3;
const suggestionWeight = 0.2;
/** From here on a suggestion that is no single path, such as first and last name, replaces a path. */
const minConfidence = 0.6;

/** A path that read a value before and reads none now. */
type LostPath = Field & {
  readonly path: string;
  readonly root: boolean;
  readonly targets: string[];
};

type Match = { readonly lost: LostPath; readonly leaf: Leaf } & Pick<
  Replacement,
  'similarity' | 'because'
>;

export function repairMapping(input: RepairInput): Repair {
  const { document, worked, failed, suggestion, region } = input;
  const budget = input.budget ?? createWorkBudget(maxWorkPerRequest);
  const split = repairSplit(document.split, { worked, failed, budget });
  const before = worked && leavesOf(worked.body, split.worked);
  chargeStep(budget);
  const now = leavesOf(failed.body, split.failed);
  chargeStep(budget);
  const known = new Set(before?.map(displayPath));
  const added = now.filter((leaf) => !known.has(displayPath(leaf)));
  const left = new Set(now.map(displayPath));
  const lost = lostPaths(input, { before, items: split, budget });
  const combined = combine(lost, { added, suggestion });
  const isCombined = new Set(combined.map(({ replacement }) => replacement.from));
  const single = lost.filter(({ path }) => !isCombined.has(path));
  const matches = assign(single, { added, suggestion, region, budget });
  const replaced = new Map<string, Source>([
    ...matches.map(({ lost: { path }, leaf }) => [path, sourceOfLeaf(leaf)] as const),
    ...combined.map(({ replacement: { from }, source }) => [from, source] as const),
  ]);
  const replacements = [
    ...matches.map(({ lost: { targets, path }, leaf, similarity, because }) => {
      return {
        targets,
        from: path,
        path: displayPath(leaf),
        example: exampleOf(leaf),
        similarity,
        because,
      };
    }),
    ...combined.map(({ replacement }) => replacement),
  ];
  const isReplaced = ({ path }: LostPath) => replaced.has(path);
  const resolved = new Set(lost.filter(isReplaced).flatMap(({ targets }) => targets));
  return {
    replacements: [...split.replacements, ...replacements],
    unresolved: [...new Set(lost.flatMap(({ targets }) => targets))].filter(
      (target) => !resolved.has(target),
    ),
    gone: [...known].filter((path) => !left.has(path)).slice(0, maxPaths),
    added: added.map(displayPath).slice(0, maxPaths),
    mapping: {
      ...mapPathSources(document, (source) => withFallback(source, replaced.get(source.path))),
      ...(split.path !== undefined && { split: split.path }),
    },
  };
}

/** The new source comes first. The transforms, the default and the condition of the old one apply to both. */
function withFallback(old: PathSource, next: Source | undefined): Source {
  if (next === undefined) return old;
  const { transforms, default: fallback, required, ...bare } = old;
  return {
    first: [next, bare],
    ...(transforms && { transforms }),
    ...(fallback !== undefined && { default: fallback }),
    ...(required !== undefined && { required }),
  };
}

type LostContext = {
  readonly before: readonly Leaf[] | null;
  readonly items: { readonly worked: readonly unknown[]; readonly failed: readonly unknown[] };
  readonly budget: WorkBudget;
};

/** What a path reads in the failed payload, compared with the one that worked. */
type Reading =
  | { readonly is: 'value' | 'nothing' }
  | { readonly is: 'lost'; readonly value: unknown };

function lostPaths(input: RepairInput, context: LostContext): LostPath[] {
  const { document, region } = input;
  const found = new Map<string, LostPath>();
  const leafAt = new Map(context.before?.map((leaf) => [leaf.path, leaf]));
  for (const [target, sources] of sourcesOf(document)) {
    const lost = sources.flatMap((source) => lostIn(source, input, context).lost);
    for (const { path, root = false, value } of lost) {
      const known = found.get(path);
      const targets = new Set([...(known?.targets ?? []), target]);
      const keys = keysOf(path);
      const names = leafAt.get(path)?.names ?? namesOfKey(keys.at(-1) ?? '');
      const given = isScalar(value) ? { value, kind: kindOfValue(value, region) } : unknownValue;
      found.set(path, { path, root, targets: [...targets], names, keys, ...given });
    }
  }
  return [...found.values()];
}

const unknownValue = { value: undefined, kind: undefined } as const;

type LostSources = {
  readonly reads: boolean;
  readonly lost: readonly (PathSource & { readonly value: unknown })[];
};

/** A `first` of which a part still reads a value has lost nothing. */
function lostIn(source: Source, input: RepairInput, context: LostContext): LostSources {
  if ('path' in source) {
    const reading = readPath(source, input, context);
    if (reading.is !== 'lost') return { reads: reading.is === 'value', lost: [] };
    return { reads: false, lost: [{ ...source, value: reading.value }] };
  }
  const found = partsOf(source).map((part) => lostIn(part, input, context));
  const reads = found.some((part) => part.reads);
  if ('first' in source && reads) return { reads, lost: [] };
  return { reads, lost: found.flatMap(({ lost }) => lost) };
}

function partsOf(source: Source): readonly Source[] {
  if ('first' in source) return source.first;
  if ('join' in source) return source.join;
  return 'template' in source ? pathsOfTemplateText(source.template).map((path) => ({ path })) : [];
}

function readPath(
  { path, root = false }: PathSource,
  { worked, failed }: RepairInput,
  { items, budget }: LostContext,
): Reading {
  const compiled = compileExpression(path);
  if (!compiled.ok) return { is: 'nothing' };
  const read = (bodies: readonly unknown[]) =>
    bodies.map((body) => evaluate(compiled.node, body, budget));
  const value = worked
    ? read(root ? [worked.body] : items.worked).find((one) => !isEmpty(one))
    : undefined;
  const isOfKind = (one: unknown) => !isEmpty(one) && (!isScalar(value) || isScalar(one));
  if (read(root ? [failed.body] : items.failed).some(isOfKind)) return { is: 'value' };
  return worked !== null && value === undefined ? { is: 'nothing' } : { is: 'lost', value };
}

type Assignment = {
  readonly added: readonly Leaf[];
  readonly suggestion: RepairInput['suggestion'];
  readonly region: string;
  readonly budget: WorkBudget;
};

/** The best pair first. Each path that is gone and each new path is in one pair. */
function assign(
  lost: readonly LostPath[],
  { added, suggestion, region, budget }: Assignment,
): readonly Match[] {
  const fields = added.slice(0, maxAdded).map((leaf) => fieldOf(leaf, region));
  chargeStep(budget);
  const onlyOnes = singleKinds(lost, fields);
  const confidenceOf = confidencesIn(suggestion);
  const pairs: Match[] = [];
  for (const one of lost.slice(0, maxLost)) {
    for (const { leaf, ...field } of fields) {
      const found = similarityOf(one, field);
      if (found === null) continue;
      const score =
        found.score +
        (one.kind !== undefined && onlyOnes.has(one.kind) ? onlyOneBonus : 0) +
        suggestionWeight * confidenceOf(one.targets, displayPath(leaf));
      if (score < minSimilarity) continue;
      const similarity = Math.round(Math.min(score, 0.99) * 100) / 100;
      pairs.push({ lost: one, leaf, similarity, because: found.because });
    }
    chargeStep(budget);
  }
  const taken = new Set<unknown>();
  return pairs
    .toSorted((a, b) => b.similarity - a.similarity || a.leaf.order - b.leaf.order)
    .filter((pair) => {
      if (taken.has(pair.lost) || taken.has(pair.leaf)) return false;
      taken.add(pair.lost).add(pair.leaf);
      return true;
    });
}

const fieldOf = (leaf: Leaf, region: string): Field & { readonly leaf: Leaf } => {
  const value = exampleOf(leaf);
  const kind = kindOfValue(value, region);
  return { leaf, names: leaf.names, keys: keysOf(leaf.path), value, kind };
};

/** Kinds of values, of those that are not taken for another, that one gone and one new field have. */
function singleKinds(lost: readonly Field[], fields: readonly Field[]): ReadonlySet<ValueKind> {
  const isSingle = (kind: ValueKind) =>
    [lost, fields].every((list) => list.filter((one) => one.kind === kind).length === 1);
  const kinds = lost.flatMap(({ kind }) => kind ?? []);
  return new Set(kinds.filter((kind) => isDistinct(kind) && isSingle(kind)));
}

/** Returns a function from targets and a field to how sure the suggestion is that the field is one of them: 0 to 1. */
function confidencesIn({ mapping, confidence, alternatives }: RepairInput['suggestion']) {
  const byTarget = new Map<string, Map<string, number>>();
  for (const [target, others] of Object.entries(alternatives))
    byTarget.set(target, new Map(others.map((one) => [one.path, one.confidence])));
  for (const [target, [source]] of sourcesOf(mapping)) {
    if (!source || !('path' in source)) continue;
    const known = byTarget.get(target) ?? new Map<string, number>();
    byTarget.set(target, known.set(source.path, confidence[target] ?? 0));
  }
  return (targets: readonly string[], path: string): number =>
    Math.max(...targets.map((target) => byTarget.get(target)?.get(path) ?? 0));
}

type Combined = { readonly replacement: Replacement; readonly source: Source };

/** A value that is in several fields now, such as a first and a last name. */
function combine(
  lost: readonly LostPath[],
  { added, suggestion: { mapping, confidence } }: Pick<Assignment, 'added' | 'suggestion'>,
): readonly Combined[] {
  const sources = new Map(sourcesOf(mapping));
  const addedPaths = new Set(added.map(displayPath));
  return lost.flatMap(({ path, targets }): Combined[] => {
    // A lost event id is in another field, and not composed of others.
    const target = targets.find(
      (name) => name !== 'eventId' && (confidence[name] ?? 0) >= minConfidence,
    );
    const source = target === undefined ? undefined : sources.get(target)?.[0];
    if (target === undefined || !source || !('join' in source)) return [];
    const paths = source.join.flatMap((part) => ('path' in part ? [part.path] : []));
    if (!paths.some((one) => addedPaths.has(one))) return [];
    const { transforms: _, ...bare } = source;
    const similarity = confidence[target] ?? 0;
    const shown = { from: path, path: paths.join(' + '), example: '', similarity };
    return [{ replacement: { targets, ...shown, because: ['name'] }, source: bare }];
  });
}
