/** Deduplication keys: two inbound requests with the same key are the same event. */
import { shortHash } from '../../base/ids.ts';
import type { Payload, Source } from '../../domain/mappings/mapping.ts';
import { createWorkBudget } from '../expressions/work-budget.ts';
import { readEventId, type ReadIdOptions } from './apply.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { maxTextLength } from '../language/target.ts';

/**
 * Reads the keys by each mapping: the active one first, then older ones whose recipe still recognises resends. All share one
 * budget of work; a mapping that exceeds it reads no key. Returns the id as the active mapping reads it, and one key for each recipe
 * that found an id. The hash includes the recipe, so equal ids of two recipes have different keys.
 */
export function readDedup(
  mappings: readonly CompiledMapping[],
  payload: Payload,
  { item, budget = createWorkBudget() }: ReadIdOptions = {},
) {
  const keys = new Set<string>();
  let externalId: string | null = null;
  for (const [index, mapping] of mappings.entries()) {
    // A mapping that splits differently would read one id for many items, and all but one would be duplicates.
    if (index > 0 && mapping.splits !== (item !== undefined)) continue;
    const id = readEventId(mapping, payload, { item, budget });
    if (!id) continue;
    if (index === 0) externalId = id.text;
    keys.add(keyOf(mapping.recipe, id.parts));
  }
  return { externalId, keys: [...keys] };
}

const keyOf = (recipe: string, parts: readonly string[]): string =>
  shortHash(JSON.stringify([recipe, ...parts]));

/**
 * Returns the keys that an event with this id can have, by each mapping. The text of an id that is joined from parts can
 * be split into parts in several ways, and each gives a key.
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
    return [...splitsOf(text, { separator, count: join.length }, { left: maxSplits })];
  }
  const trimmed = text.trim();
  return trimmed === '' ? [] : [[trimmed]];
}

/** The most ways of splitting an id that are tried. */
const maxSplits = 100;

type Joint = { readonly separator: string; readonly count: number };

function* splitsOf(
  text: string,
  { separator, count }: Joint,
  budget: { left: number },
): Generator<string[]> {
  if (count === 1 && text !== '') yield [text];
  if (count <= 1) return;
  for (let at = text.indexOf(separator, 1); at > 0 && at < text.length;) {
    if (budget.left-- <= 0) return;
    const rest = { separator, count: count - 1 };
    for (const parts of splitsOf(text.slice(at + separator.length), rest, budget)) {
      yield [text.slice(0, at), ...parts];
    }
    at = text.indexOf(separator, at + 1);
  }
}
