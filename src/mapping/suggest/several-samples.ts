/**
 * Reads samples of different structures with one mapping. Where the mapping of all samples reads nothing from one of them, the source that
 * this sample alone suggests becomes a further source of the target.
 */
import type { MappingDocument, Payload, Source } from '../../domain/mappings/mapping.ts';
import { applyItem, splitItems } from '../evaluation/apply.ts';
import { compileMapping } from '../language/compile.ts';
import { optionalTargets, valueAt } from './verify.ts';

/** The event id is not among them: a second source could give two events the same id. */
const targets = [...optionalTargets, 'eventDate'];
// Each costs as much as a suggestion for one sample.
const maxOthers = 5;
const maxSources = 5;

/** Suggests a mapping for one sample. */
type SuggestAlone = (sample: Payload) => Generator<undefined, MappingDocument>;

/** Returns the mapping with further sources. A mapping that splits, or whose samples differ in that, stays as it is. */
export function* readAllSamples(
  mapping: MappingDocument,
  samples: readonly Payload[],
  { suggestAlone, defaultRegion }: { suggestAlone: SuggestAlone; defaultRegion: string },
): Generator<undefined, MappingDocument> {
  if (samples.length < 2 || mapping.split !== undefined) return mapping;
  let extended = mapping;
  let others = 0;
  for (const sample of samples) {
    const unread = unreadTargets(extended, sample, defaultRegion);
    if (unread.length === 0 || others >= maxOthers) continue;
    others += 1;
    const alone = yield* suggestAlone(sample);
    if (alone.split === undefined) extended = unread.reduce(withSourceOf(alone), extended);
    yield;
  }
  return extended;
}

function unreadTargets(
  mapping: MappingDocument,
  sample: Payload,
  defaultRegion: string,
): readonly string[] {
  const compiled = compileMapping(mapping);
  if (!compiled.ok) return [];
  const split = splitItems(compiled.mapping, sample);
  const [item] = split.ok ? split.items : [];
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
    const known = sourcesOf(valueAt(mapping, path) as Source | undefined);
    const texts = new Set(known.map((each) => JSON.stringify(each)));
    const sources = [
      ...known,
      ...sourcesOf(further).filter((each) => !texts.has(JSON.stringify(each))),
    ].slice(0, maxSources);
    const [only, second] = sources;
    return withTarget(mapping, path, second === undefined && only ? only : { first: sources });
  };

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
