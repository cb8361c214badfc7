import type { EventId, MappedEvent, MappingDocument, Payload } from '../domain/mapping.ts';
import type { CompiledMapping } from './compile.ts';

export type SplitResult =
  | { ok: true; items: unknown[] }
  | { ok: false; code: 'split_failed' | 'split_not_array' | 'too_many_items'; message: string };

export interface ApplyOptions {
  /** Two-letter region that phone numbers without a country code belong to. */
  defaultRegion: string;
  /** The item of a split; absent: the body itself. */
  item?: unknown;
}

/** The items of a body; without a split the body is the one item. */
export function splitItems(mapping: CompiledMapping, payload: Payload): SplitResult {
  throw new Error(`not written yet: ${typeof mapping} ${typeof payload}`);
}

/** Maps one item. Never throws. */
export function applyItem(
  mapping: CompiledMapping,
  payload: Payload,
  options: ApplyOptions,
): MappedEvent {
  throw new Error(`not written yet: ${typeof mapping} ${typeof payload} ${typeof options}`);
}

/** Reads only the external event id. Null: the event stands alone. Never throws. */
export function readEventId(
  mapping: CompiledMapping,
  payload: Payload,
  item?: unknown,
): EventId | null {
  throw new Error(`not written yet: ${typeof mapping} ${typeof payload} ${typeof item}`);
}

/** Canonical JSON of how the event id is read; '' when the mapping reads none. */
export function eventIdRecipe(document: MappingDocument): string {
  throw new Error(`not written yet: ${typeof document}`);
}
