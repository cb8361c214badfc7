import type { MappedEvent, Payload } from '../domain/mapping.ts';
import type { CompiledMapping } from './compile.ts';

/** Where a target's value came from, and what was there before any transform. */
export interface SourceTrace {
  source: string;
  raw: unknown;
}

export interface PreviewItem extends MappedEvent {
  sources: Record<string, SourceTrace>;
}

export interface Preview {
  items: PreviewItem[];
}

/** What a mapping makes of a payload, target by target. Never throws, has no effects. */
export function previewMapping(
  mapping: CompiledMapping,
  payload: Payload,
  options: { defaultRegion: string },
): Preview {
  throw new Error(`not written yet: ${typeof mapping} ${typeof payload} ${typeof options}`);
}
