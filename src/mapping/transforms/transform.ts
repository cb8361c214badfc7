import type { ProblemCode, Scalar } from '../../domain/mappings/mapping.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { evaluate, type Node } from '../expressions/interpreter.ts';
import type { WorkBudget } from '../expressions/work-budget.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type TransformResult = { value: unknown } | { problem: ProblemCode; message: PublicText };

export interface TransformContext<Prepared> {
  readonly options: Prepared;
  /** The expressions that the options hold, by their text. */
  readonly nodes: ReadonlyMap<string, Node>;
  /** Two-letter region of numbers without a country code; null where no region may be assumed. */
  readonly region: string | null;
  /** For work that the length of the text does not show. */
  readonly budget: WorkBudget;
  /** The value that the paths of the options are read from. */
  readonly item: unknown;
}

/** Shown in the documentation and run by a test. */
interface TransformUseExample<Options> {
  options?: Options;
  /** The item that the paths of the options read. */
  item?: unknown;
  from: unknown;
  to: unknown;
}

/** One named step between a source and its target. `Prepared` is made from the options once for each mapping. */
export interface Transform<Options = Record<string, unknown>, Prepared = Options> {
  name: string;
  /** What it does, and what each option means, in whole sentences. */
  doc: string;
  examples: readonly TransformUseExample<Options>[];
  /** JSON Schema of the options. A transform without required options may be used by its name alone. */
  options: JsonSchema;
  /** The units of work of one call for a text of this length; see work-limits.ts. The default is `usualWork`. */
  workOf?(this: void, length: number): number;
  /** Returns a problem of the options that the schema does not express, or null. */
  check?(this: void, options: Options): DocumentProblem | null;
  /** The units of work of checking and preparing the options, without their expressions. The default is 0. */
  workOfOptions?(this: void, options: Options): number;
  /** The expressions that the options hold, each with its JSON pointer into them. */
  paths?(this: void, options: Options): readonly (readonly [pointer: string, path: string])[];
  prepare?(this: void, options: Options): Prepared;
  apply(this: void, value: Scalar, context: TransformContext<Prepared>): TransformResult;
  /** For lists and objects. Without it a list is transformed element by element, and an object fails. */
  applyToTree?(this: void, value: object, context: TransformContext<Prepared>): TransformResult;
}

/** The longest text, in UTF-16 units, that a transform may make of a shorter one: the bound of a message. */
export const maxResultLength = 65_536;
/** The most parts of a text, or elements of a list. */
export const maxListLength = 1_000;

/** One to three microseconds for a short text. */
export const usualWork = (length: number): number => 40 + length / 16;

/** Returns the JSON Schema of options. A transform without required options may be used by its name alone. */
export const optionsSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required?: readonly string[],
): JsonSchema => ({
  type: 'object',
  properties,
  ...(required && { required }),
  additionalProperties: false,
});

export const noOptions = optionsSchema({});

export const transformProblem = (problem: ProblemCode, message: PublicText): TransformResult => ({
  problem,
  message,
});

export const placeholderMessage = 'problem.placeholder_value';

export const tooLongMessage = textWith('problem.text_too_long', { max: maxResultLength });
export const tooLongProblem = (): TransformResult => transformProblem('too_long', tooLongMessage);

/**
 * Reads one of the transform's `paths` in `value`, by default in the item. Returns null for a path that is not one of
 * them. Throws the library's errors and WorkBudgetExceeded.
 */
export function readOptionPath(
  { nodes, item, budget }: Pick<TransformContext<unknown>, 'nodes' | 'item' | 'budget'>,
  path: string,
  value: unknown = item,
): unknown {
  const node = nodes.get(path);
  return node === undefined ? null : evaluate(node, value, budget);
}
