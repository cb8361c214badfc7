import type { MappingDocument } from '../domain/mapping.ts';

export interface CompileProblem {
  /** JSON pointer into the document */
  path: string;
  message: string;
}

export interface CompiledMapping {
  readonly document: MappingDocument;
  /** Whether a body yields many items. */
  readonly splits: boolean;
  /** Header names the mapping may read, in lower case. */
  readonly readsHeaders: readonly string[];
  readonly readsQueries: readonly string[];
}

export type CompileResult =
  { ok: true; mapping: CompiledMapping } | { ok: false; problems: CompileProblem[] };

/** Checks a mapping document and compiles it once. Every problem is listed. */
export function compileMapping(document: unknown): CompileResult {
  throw new Error(`not written yet: ${typeof document}`);
}
