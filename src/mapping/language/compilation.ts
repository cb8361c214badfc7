import { escapePointerKey } from '../../base/json/json-pointer.ts';
import type { PlaceholderUse } from '../../domain/people/placeholder.ts';
import type { LocatedDocumentProblem } from '../document-problem.ts';
import { charge, type WorkBudget } from '../expressions/work-budget.ts';
import { expressionUnits } from '../work-limits.ts';
import { compileExpression } from '../expressions/expression.ts';
import type { Node } from '../expressions/interpreter.ts';

/** What is collected while a document is compiled. */
export interface Compilation {
  readonly problems: LocatedDocumentProblem[];
  readonly headers: Set<string>;
  readonly queries: Set<string>;
  sources: number;
  readonly budget: WorkBudget;
}

/** The bound of all sources together. Each is read once for each event; the schema bounds each list of them. */
export const maxSources = 500;

export interface SourceLocation {
  readonly pointer: string;
  /** Whether the source is read for an event id, which takes texts and numbers only and no absent parts. */
  readonly strict: boolean;
  /** What the value is judged as; null where every value counts. */
  readonly use: PlaceholderUse | null;
}

export const childLocation = (
  location: SourceLocation,
  ...keys: (string | number)[]
): SourceLocation => ({
  ...location,
  pointer: keys.reduce<string>(
    (pointer, key) => `${pointer}/${escapePointerKey(String(key))}`,
    location.pointer,
  ),
});

const nullNode: Node = { type: 'Literal', value: null };

/**
 * Compiles an expression. One that does not compile is added to the problems, so that the mapping is rejected. Throws
 * WorkBudgetExceeded.
 */
export function compileNode(
  text: string,
  location: SourceLocation,
  compilation: Compilation,
): Node {
  charge(compilation.budget, expressionUnits.each + text.length * expressionUnits.perCharacter);
  const compiled = compileExpression(text);
  if (compiled.ok) return compiled.node;
  compilation.problems.push({ path: location.pointer, ...compiled.problem });
  return nullNode;
}
