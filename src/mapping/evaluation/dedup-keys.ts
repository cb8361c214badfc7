/** Deduplication keys: what makes two deliveries the same event. */
import { sha256 } from '../../base/ids.ts';
import type { Payload, Source } from '../../domain/mappings/mapping.ts';
import { readEventId } from './apply.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { maxTextLength } from '../language/target.ts';

export type Dedup = {
  /** As the first mapping reads it; shown to people. */
  readonly externalId: string | null;
  /** One for each recipe that found an id. The recipe is part of the hash, which keeps an old id 7 and a new id 7 apart. */
  readonly keys: readonly string[];
};

/** By the active mapping first, then by older ones whose recipe still recognises resends. */
export function readDedup(
  mappings: readonly CompiledMapping[],
  payload: Payload,
  item?: unknown,
): Dedup {
  const keys = new Set<string>();
  let externalId: string | null = null;
  for (const [index, mapping] of mappings.entries()) {
    // An older recipe that splits otherwise would read one id for many items, and swallow all but one.
    if (index > 0 && mapping.splits !== (item !== undefined)) continue;
    const id = readEventId(mapping, payload, item);
    if (!id) continue;
    if (index === 0) externalId = id.text;
    keys.add(keyOf(mapping.recipe, id.parts));
  }
  return { externalId, keys: [...keys] };
}

const keyOf = (recipe: string, parts: readonly string[]): string =>
  sha256(JSON.stringify([recipe, ...parts]));

/**
 * The other way round: the keys of whatever has this id, by the active mapping first. Where an id is joined of parts, its
 * text may be cut in more than one way.
 */
export function dedupKeysForId(mappings: readonly CompiledMapping[], text: string): string[] {
  const keys = mappings.flatMap(({ recipe }) =>
    partsOf(recipe, text).map((parts) => keyOf(recipe, parts)),
  );
  return [...new Set(keys)];
}

function partsOf(recipe: string, text: string): string[][] {
  if (recipe === '' || text.length > maxTextLength) return [];
  const source = JSON.parse(recipe) as Source;
  if ('join' in source && !source.transforms) {
    const { join, with: separator = ' ' } = source;
    return [...cuts(text, { separator, count: join.length }, { left: maxCuts })];
  }
  const trimmed = text.trim();
  return trimmed === '' ? [] : [[trimmed]];
}

/** Of an id that is joined without a separator, or of parts that hold it, only so many cuts are looked at. */
const maxCuts = 100;

type Cutting = { readonly separator: string; readonly count: number };

function* cuts(
  text: string,
  { separator, count }: Cutting,
  budget: { left: number },
): Generator<string[]> {
  if (count === 1 && text !== '') yield [text];
  if (count <= 1) return;
  for (let at = text.indexOf(separator, 1); at > 0 && at < text.length;) {
    if (budget.left-- <= 0) return;
    const rest = { separator, count: count - 1 };
    for (const parts of cuts(text.slice(at + separator.length), rest, budget)) {
      yield [text.slice(0, at), ...parts];
    }
    at = text.indexOf(separator, at + 1);
  }
}
