/**
 * Validation of values against schemas, with all problems.
 *
 * Promises: a problem names its location (a JSON pointer into the body, or a query parameter) and the expected value.
 * Must never: repeat a value of the request, or change one.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { AppError, type ErrorCode, type FieldProblem } from '../../base/errors.ts';
import { escapePointerKey } from '../../base/json/json-pointer.ts';
import { schemaText } from '../../base/texts/schema-text.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

// Limits the answer to what a person reads.
const maxProblems = 100;

let created: Ajv2020 | undefined;

/** Returns the compiler of all schemas; the first call creates it. */
function loadCompiler(): Ajv2020 {
  if (created) return created;
  // A third less CPU time for each schema, which a process compiles for few requests.
  const code = { optimize: false };
  created = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, code });
  formats.default(created);
  return created;
}

export type Validator = (value: unknown) => readonly FieldProblem[];

/** Returns a validator. The first call compiles the schema, so that the start of the process does not wait for all. */
export function compileValidator(schema: TSchema | Readonly<Record<string, unknown>>): Validator {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    const validate = (compiled ??= loadCompiler().compile(schema));
    return validate(value) ? [] : problemsOf(validate.errors ?? []);
  };
}

type OfKind<Kind> = {
  readonly kind: Kind;
  readonly settingsSchema: Parameters<typeof compileValidator>[0];
};

/** Returns a function that validates settings by the schema of their kind. */
export function validatorByKind<Kind extends string>(kinds: Readonly<Record<Kind, OfKind<Kind>>>) {
  const all = Object.values<OfKind<Kind>>(kinds);
  const checks = new Map(all.map((one) => [one.kind, compileValidator(one.settingsSchema)]));
  return (kind: Kind, settings: unknown): readonly FieldProblem[] =>
    checks.get(kind)?.(settings) ?? [];
}

/** Throws the code with the problems, if there are any. */
export function requireValid(code: ErrorCode, problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw new AppError(code, { details: { fields: problems } });
}

function problemsOf(errors: readonly ErrorObject[]): FieldProblem[] {
  const byPath = new Map<string, FieldProblem>();
  for (const error of errors) {
    // This error only says that a branch applies; the branch reports its own errors.
    if (error.keyword === 'if') continue;
    const path = pathOf(error);
    // The first error of a location is enough; a union has one for each branch.
    if (!byPath.has(path)) byPath.set(path, { path, message: messageOf(error) });
  }
  return [...byPath.values()].slice(0, maxProblems);
}

function pathOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const name = missingProperty ?? additionalProperty;
  return name === undefined ? instancePath : `${instancePath}/${escapePointerKey(name)}`;
}

function messageOf(error: ErrorObject): PublicText {
  const { keyword, params } = error;
  if (keyword === 'required') return 'field.required';
  if (keyword === 'additionalProperties') return 'field.unknown';
  if (keyword === 'pattern' && params.pattern === String.raw`\S`) return 'field.blank';
  if (keyword === 'enum') {
    const { allowedValues } = params as { allowedValues: readonly unknown[] };
    return textWith('field.not_a_choice', { choices: allowedValues.join(', ') });
  }
  return schemaText(error);
}
