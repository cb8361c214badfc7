import { escapePointerKey } from '../../base/json/json-pointer.ts';
import { compileExpression } from '../expressions/expression.ts';
import type { LocatedDocumentProblem } from '../document-problem.ts';
import type { Node } from '../expressions/interpreter.ts';

/** What compiling collects while it walks the document. */
export interface Compilation {
  readonly problems: LocatedDocumentProblem[];
  readonly headers: Set<string>;
  readonly queries: Set<string>;
  sources: number;
}

/** Each source is read once an event; the schema bounds each list, this bounds them together. */
export const maxSources = 500;

/** How a source is read: an id is strict about what is missing and what is no text. */
export interface SourceLocation {
  readonly pointer: string;
  readonly strict: boolean;
}

export const childLocation = (
  place: SourceLocation,
  ...keys: (string | number)[]
): SourceLocation => ({
  ...place,
  pointer: keys.reduce<string>(
    (pointer, key) => `${pointer}/${escapePointerKey(String(key))}`,
    place.pointer,
  ),
});

const nothing: Node = { type: 'Literal', value: null };

/** An expression that does not compile is a problem; the mapping is then refused, whatever stands in its place. */
export function compileNode(text: string, place: SourceLocation, compilation: Compilation): Node {
  const compiled = compileExpression(text);
  if (compiled.ok) return compiled.node;
  compilation.problems.push({ path: place.pointer, ...compiled.fault });
  return nothing;
}
