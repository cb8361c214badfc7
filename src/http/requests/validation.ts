/**
 * Schemas against values, with every problem told.
 *
 * Promises: a problem names its place (a JSON pointer into the body, a query parameter's name) and says what is
 * expected there. Must never: repeat a value that was sent, or change one.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { AppError, type ErrorCode, type FieldProblem } from '../../base/errors.ts';
import { escapePointerKey } from '../../base/json/json-pointer.ts';

// More problems than a person reads at once.
const maxProblems = 100;

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
formats.default(ajv);

export type Validator = (value: unknown) => readonly FieldProblem[];

/** Compiled once, for the first value: a starting process does not wait for the checks of every route. */
export function compileValidator(schema: TSchema | Readonly<Record<string, unknown>>): Validator {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    const validate = (compiled ??= ajv.compile(schema));
    return validate(value) ? [] : problemsOf(validate.errors ?? []);
  };
}

/** A query's check names the parameter, without the slash of a pointer. */
export function requireValid(code: ErrorCode, problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw new AppError(code, { details: { fields: problems } });
}

function problemsOf(errors: readonly ErrorObject[]): FieldProblem[] {
  const byPath = new Map<string, FieldProblem>();
  for (const error of errors) {
    // Says only that a branch applies, beside what that branch complains of.
    if (error.keyword === 'if') continue;
    const path = placeOf(error);
    // Of several complaints about one place (a union has one for each branch) the first says enough.
    if (!byPath.has(path)) byPath.set(path, { path, message: wordsOf(error) });
  }
  return [...byPath.values()].slice(0, maxProblems);
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const name = missingProperty ?? additionalProperty;
  return name === undefined ? instancePath : `${instancePath}/${escapePointerKey(name)}`;
}

function wordsOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not known here';
  if (keyword === 'enum') {
    const { allowedValues } = params as { allowedValues: readonly unknown[] };
    return `must be one of ${allowedValues.join(', ')}`;
  }
  return message ?? 'is not acceptable';
}
