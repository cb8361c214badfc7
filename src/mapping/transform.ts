import type { ProblemCode, Scalar } from '../domain/mapping.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type TransformResult = { value: unknown } | { problem: ProblemCode; message: string };

export interface TransformContext<Options> {
  options: Options;
  /** Two letters; where numbers without a country code belong. Null where no region may be assumed. */
  region: string | null;
}

/** One named step between a source and its target. */
export interface Transform<Options = Record<string, unknown>> {
  name: string;
  doc: string;
  example: { options?: Options; from: Scalar; to: Scalar };
  /** JSON Schema of the options; one that requires none may be used by name alone. */
  options: JsonSchema;
  /** What is wrong with options that the schema cannot see. */
  check?(this: void, options: Options): string | null;
  apply(this: void, value: Scalar, context: TransformContext<Options>): TransformResult;
}

export const noOptions: JsonSchema = {
  type: 'object',
  properties: {},
  additionalProperties: false,
};

export const refuse = (problem: ProblemCode, message: string): TransformResult => ({
  problem,
  message,
});
