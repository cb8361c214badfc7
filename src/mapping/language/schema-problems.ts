/** The validator's errors as problems of the mapping document. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { escapePointerKey, parsePointer } from '../../base/json/json-pointer.ts';
import {
  documentProblem,
  type DocumentProblemKind,
  type LocatedDocumentProblem,
} from '../document-problem.ts';
import { isScalar } from '../value.ts';
import { sourceKinds } from './schema.ts';
import { schemaText } from '../../base/texts/schema-text.ts';
import { textWith } from '../../base/texts/texts.ts';

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

function problemOf(error: ErrorObject): LocatedDocumentProblem {
  const { keyword, instancePath, params } = error;
  const extra: unknown = params.additionalProperty;
  if (typeof extra === 'string') {
    const problem = documentProblem('part_unknown', 'document.part_unknown', extra);
    return { path: `${instancePath}/${escapePointerKey(extra)}`, ...problem };
  }
  if (keyword === 'oneOf') {
    const choices = sourceKinds.join(', ');
    const text = textWith('document.source_kind', { choices });
    return { path: instancePath, ...documentProblem('source_kind', text) };
  }
  const text = schemaText(error);
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

const sections: readonly string[] = ['contact', 'message', 'context'];

type Parts = Record<string, unknown>;

const partsOf = (value: unknown): Parts | null =>
  typeof value === 'object' && value !== null ? (value as Parts) : null;

/**
 * Returns a copy without the parts that the JSON pointers lead into, so that the problems inside the valid parts can be listed
 * too; null when a pointer leads to the whole.
 */
export function stripInvalidParts(document: unknown, pointers: readonly string[]): unknown {
  const copy = partsOf(structuredClone(document));
  if (!copy || pointers.includes('')) return null;
  for (const pointer of pointers) {
    const [top = '', part, field] = parsePointer(pointer);
    const section = sections.includes(top) && part !== undefined ? partsOf(copy[top]) : null;
    const fields = part === 'fields' && field !== undefined ? partsOf(section?.fields) : null;
    if (fields && field !== undefined) delete fields[field];
    else if (section && part !== undefined) delete section[part];
    else delete copy[top];
  }
  return copy;
}
