/** Deduplication keys: what makes two deliveries the same event. */
import { sha256 } from '../base/ids.ts';
import type { Payload } from '../domain/mapping.ts';
import { readEventId } from './apply.ts';
import type { CompiledMapping } from './compile.ts';

export type Dedup = {
  /** As the first mapping reads it; shown to people. */
  readonly externalId: string | null;
  /** One for each recipe that found an id. The recipe is part of the hash, which keeps an old id 7 and a new id 7 apart. */
  readonly keys: readonly string[];
};

/** By the active mapping first, then by older ones whose recipe still recognises resends. */
export function dedupOf(
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
    keys.add(sha256(JSON.stringify([mapping.recipe, ...id.parts])));
  }
  return { externalId, keys: [...keys] };
}
