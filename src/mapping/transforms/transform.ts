import type { ProblemCode, Scalar } from '../../domain/mappings/mapping.ts';
import type { DocumentProblem } from '../document-problem.ts';
import type { WorkBudget } from '../expressions/work-budget.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type TransformResult = { value: unknown } | { problem: ProblemCode; message: string };

export interface TransformContext<Ready> {
  options: Ready;
  /** Two letters; where numbers without a country code belong. Null where no region may be assumed. */
  region: string | null;
  /** What one of the transform's `paths` reads in the item, or in `value`. Throws what evaluating it throws. */
  find(this: void, path: string, value?: object): unknown;
  /** For work that the length of the text does not tell. */
  meter: WorkBudget;
}

/** Shown to people, and run by a test. */
export interface TransformUseExample<Options> {
  options?: Options;
  /** What the paths of the options read. */
  item?: unknown;
  from: unknown;
  to: unknown;
}

/** One named step between a source and its target. `Ready` is what it makes of its options, once per mapping. */
export interface Transform<Options = Record<string, unknown>, Ready = Options> {
  name: string;
  /** What it does, and what each option means, in whole sentences. */
  doc: string;
  examples: readonly TransformUseExample<Options>[];
  /** JSON Schema of the options; one that requires none may be used by name alone. */
  options: JsonSchema;
  /** Characters that take about as long as one step of an expression (50 ns); 16 where nothing is said. */
  charactersPerUnit?: number;
  /** What is wrong with options that the schema cannot see. */
  check?(this: void, options: Options): DocumentProblem | null;
  /** The expressions that the options hold, each under its name in a pointer into them. */
  paths?(this: void, options: Options): readonly (readonly [pointer: string, path: string])[];
  prepare?(this: void, options: Options): Ready;
  apply(this: void, value: Scalar, context: TransformContext<Ready>): TransformResult;
  /** For lists and objects. Without it a list of texts is done text by text, and anything else refused. */
  applyToTree?(this: void, value: object, context: TransformContext<Ready>): TransformResult;
}

/** UTF-16 units that a transform may make of a shorter text: as many as a message holds. */
export const maxResultLength = 65_536;
/** Parts of a text, or texts of a list. */
export const maxListLength = 1_000;

export const noOptions: JsonSchema = {
  type: 'object',
  properties: {},
  additionalProperties: false,
};

export const transformProblem = (problem: ProblemCode, message: string): TransformResult => ({
  problem,
  message,
});

export const tooLongProblem = (): TransformResult =>
  transformProblem('too_long', `The text has more than ${maxResultLength} characters.`);
