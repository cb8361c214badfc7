/**
 * Reads samples of different structures with one mapping. Where the mapping of all samples reads nothing from one of them, the source that
 * this sample alone suggests becomes a further source of the target.
 */
import type { MappingDocument, Payload, Source } from '../src/domain/mappings/mapping.ts';
import { applyItem, splitItems } from '../src/mapping/evaluation/apply.ts';
import type { WorkBudget } from '../src/mapping/expressions/work-budget.ts';
import { compileMapping } from '../src/mapping/language/compile.ts';
import { chargeStep } from './charge-step.ts';
import { joinAnyPath, joinPath } from './leaves/jmespath.ts';
import { optionalTargets, valueAt } from './verify.ts';

/** The event id is not among them: a second source could give two events the same id. */
const targets = [...optionalTargets, 'eventDate'];
// Each costs as much as a suggestion for one sample.
const maxOthers = 5;
const maxSources = 5;

/** Suggests a mapping for one sample. */
type SuggestAlone = (sample: Payload) => MappingDocument;

interface Reading {
  readonly suggestAlone: SuggestAlone;
  readonly defaultRegion: string;
  readonly budget: WorkBudget;
}

/** Returns the mapping with further sources. A mapping that splits, or whose samples differ in that, stays as it is. */
export function readAllSamples(
  mapping: MappingDocument,
  samples: readonly Payload[],
  { suggestAlone, defaultRegion, budget }: Reading,
): MappingDocument {
  if (samples.length < 2 || mapping.split !== undefined) return mapping;
  let extended = mapping;
  let others = 0;
  for (const [index, sample] of samples.entries()) {
    const unread = unreadTargets(extended, sample, defaultRegion);
    if (unread.length === 0 || others >= maxOthers) continue;
    others += 1;
    const alone = suggestAlone(sample);
    chargeStep(budget);
    if (alone.split !== undefined) continue;
    const appended = unread.reduce(withSourceOf(alone), extended);
    const hidden = unreadTargets(appended, sample, defaultRegion);
    extended =
      hidden.length === 0
        ? appended
        : prepend(hidden, alone, {
            mapping: appended,
            before: extended,
            samples: samples.slice(0, index + 1),
            defaultRegion,
            budget,
          });
  }
  return extended;
}

interface Prepended {
  /** With the sources at the end. */
  readonly mapping: MappingDocument;
  readonly before: MappingDocument;
  /** The last is the one that the sources are of. */
  readonly samples: readonly Payload[];
  readonly defaultRegion: string;
  readonly budget: WorkBudget;
}

/**
 * Puts the sources of these targets first, unless an earlier sample is not read any more. In `{ phone: '1' }` and
 * `{ phone: { number: '2' } }` the first source that is not empty is not always the one that can be read.
 */
function prepend(
  hidden: readonly string[],
  alone: MappingDocument,
  { mapping, before, samples, defaultRegion, budget }: Prepended,
): MappingDocument {
  const place = (left: MappingDocument, target: string): MappingDocument => {
    const path = target.split('.');
    const first = valueAt(alone, path) as Source | undefined;
    const sources = [first, valueAt(before, path) as Source | undefined].flatMap(sourcesOf);
    return first === undefined ? left : withTarget(left, path, firstOf(sources));
  };
  const turned = hidden.reduce(place, mapping);
  const lost = new Set(unreadTargets(turned, samples.at(-1), defaultRegion));
  for (const earlier of samples.slice(0, -1)) {
    const known = unreadTargets(mapping, earlier, defaultRegion);
    for (const target of unreadTargets(turned, earlier, defaultRegion))
      if (!known.includes(target)) lost.add(target);
    chargeStep(budget);
  }
  return hidden.filter((target) => !lost.has(target)).reduce(place, mapping);
}

function unreadTargets(
  mapping: MappingDocument,
  sample: Payload | undefined,
  defaultRegion: string,
): readonly string[] {
  const compiled = compileMapping(mapping);
  if (!compiled.ok || sample === undefined) return [];
  const split = splitItems(compiled.mapping, sample);
  const item = split.ok ? split.items.find((each) => each !== null) : undefined;
  if (item === undefined) return [];
  const event = applyItem(compiled.mapping, sample, { defaultRegion, item });
  if (event.ignored !== null) return [];
  return targets.filter((target) => valueAt(event, target.split('.')) === null);
}

/** Returns a function that adds the source of a target in another mapping. */
const withSourceOf =
  (other: MappingDocument) =>
  (mapping: MappingDocument, target: string): MappingDocument => {
    const path = target.split('.');
    const further = valueAt(other, path) as Source | undefined;
    if (further === undefined) return mapping;
    const known = valueAt(mapping, path) as Source | undefined;
    return withTarget(mapping, path, firstOf([known, further].flatMap(sourcesOf)));
  };

/** Returns the first of the different sources that is not empty. A list and a single text at one path are one source. */
function firstOf(given: readonly Source[]): Source {
  const different = new Map(given.map((each) => [JSON.stringify(each), each]));
  for (const source of given) {
    if (!('path' in source)) continue;
    const { path } = source;
    const list = JSON.stringify({ ...source, path: joinPath(path) });
    if (!different.has(list)) continue;
    different.set(list, { ...source, path: joinAnyPath(path) });
    different.delete(JSON.stringify(source));
  }
  const [only, ...others] = [...different.values()].slice(0, maxSources);
  return only && others.length === 0 ? only : { first: [only, ...others] as Source[] };
}

export const sourcesOf = (source: Source | undefined): readonly Source[] => {
  if (source === undefined) return [];
  return 'first' in source ? source.first : [source];
};

function withTarget(
  mapping: MappingDocument,
  [first = '', second]: readonly string[],
  source: Source,
): MappingDocument {
  if (second === undefined) return { ...mapping, [first]: source };
  const part = mapping[first as 'contact'] ?? {};
  return { ...mapping, [first]: { ...part, [second]: source } };
}
