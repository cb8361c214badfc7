/** The validator's errors as problems of the mapping document. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { escapePointerKey } from '../../base/json/json-pointer.ts';
import { documentProblem } from '../document-problem.ts';
import type { DocumentProblemKind, LocatedDocumentProblem } from '../document-problem.ts';
import { isScalar } from '../value.ts';
import { sourceKinds } from './schema.ts';

/** Leaves out the errors of the alternatives of `oneOf`, which say nothing to the document's author. */
export const schemaProblems = (errors: readonly ErrorObject[]): LocatedDocumentProblem[] =>
  errors.filter((error) => !error.schemaPath.includes('/oneOf/')).map(problemOf);

/** By keyword of the schema: the kind of problem, and the parameter that holds the name or bound. */
const kindsByKeyword: Readonly<Record<string, readonly [DocumentProblemKind, string]>> = {
  type: ['wrong_type', 'type'],
  enum: ['not_a_choice', 'allowedValues'],
  required: ['part_missing', 'missingProperty'],
  dependentRequired: ['part_missing', 'missingProperty'],
  minLength: ['too_short', 'limit'],
  minItems: ['too_short', 'limit'],
  minProperties: ['too_short', 'limit'],
  maxLength: ['too_long', 'limit'],
  maxItems: ['too_long', 'limit'],
  maxProperties: ['too_long', 'limit'],
  minimum: ['out_of_range', 'limit'],
  maximum: ['out_of_range', 'limit'],
};

function problemOf({
  keyword,
  instancePath,
  params,
  message,
}: ErrorObject): LocatedDocumentProblem {
  const extra: unknown = params.additionalProperty;
  if (typeof extra === 'string') {
    const problem = documentProblem('part_unknown', 'There is no such part here.', extra);
    return { path: `${instancePath}/${escapePointerKey(extra)}`, ...problem };
  }
  if (keyword === 'oneOf') {
    const text = `A source has exactly one of ${sourceKinds.join(', ')}.`;
    return { path: instancePath, ...documentProblem('source_kind', text) };
  }
  const allowed: unknown = params.allowedValues;
  const choices = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const text = `${message ?? 'not acceptable'}${choices}`;
  if (keyword === 'pattern' && /\/transforms\/\d+$/.test(instancePath)) {
    return { path: instancePath, ...documentProblem('transform_unknown', text) };
  }
  const [kind, parameter] = kindsByKeyword[keyword] ?? ['not_acceptable', ''];
  return { path: instancePath, ...documentProblem(kind, text, textOf(params[parameter])) };
}

function textOf(parameter: unknown): string | undefined {
  if (Array.isArray(parameter)) return parameter.join(', ');
  return isScalar(parameter) ? String(parameter) : undefined;
}
