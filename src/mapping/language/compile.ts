/**
 * From a mapping document to something that can be applied to payloads.
 *
 * Promises: a document is checked whole and every problem is listed with its JSON pointer; each expression is
 * compiled once; a compiled mapping never changes.
 * Must never: throw, whatever the document, or accept an expression whose cost the meter cannot see.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { escapePointerKey } from '../../base/json/json-pointer.ts';
import type {
  ContactMapping,
  ContextMapping,
  MappingDocument,
  Source,
} from '../../domain/mappings/mapping.ts';
import { compileNode } from './compilation.ts';
import type { Compilation } from './compilation.ts';
import { compileEventId, eventIdRecipe, mayBeConstant, dependsOnItem } from './event-id.ts';
import type { ReadId } from './event-id.ts';
import { documentProblem } from '../document-problem.ts';
import type { LocatedDocumentProblem, DocumentProblemKind } from '../document-problem.ts';
import type { Node } from '../expressions/interpreter.ts';
import { mappingSchemas, sourceKinds } from './schema.ts';
import { stripInvalidParts } from './strip-invalid.ts';
import { compileTarget, finishes } from './target.ts';
import type { CompiledTarget } from './target.ts';
import { isWithinSize, isScalar } from '../value.ts';

export interface CompiledContact {
  readonly externalId: CompiledTarget | null;
  readonly name: CompiledTarget | null;
  readonly phone: CompiledTarget | null;
  readonly email: CompiledTarget | null;
  readonly document: CompiledTarget | null;
  readonly fields: readonly (readonly [string, CompiledTarget])[];
}

export interface CompiledContext {
  readonly origin: CompiledTarget | null;
  readonly campaign: CompiledTarget | null;
  readonly labels: readonly CompiledTarget[];
  readonly sector: CompiledTarget | null;
  readonly fields: readonly (readonly [string, CompiledTarget])[];
}

export interface CompiledMapping {
  readonly document: MappingDocument;
  /** Whether a body yields many items. */
  readonly splits: boolean;
  /** Header names the mapping may read, in lower case. */
  readonly readsHeaders: readonly string[];
  readonly readsQueries: readonly string[];
  readonly split: Node | null;
  readonly filter: Node | null;
  readonly eventId: ReadId | null;
  /** See `eventIdRecipe`. */
  readonly recipe: string;
  readonly eventIdRequired: boolean;
  readonly eventType: CompiledTarget | null;
  readonly eventDate: CompiledTarget | null;
  readonly contact: CompiledContact;
  readonly text: CompiledTarget | null;
  readonly context: CompiledContext;
}

export type CompileResult =
  { ok: true; mapping: CompiledMapping } | { ok: false; problems: LocatedDocumentProblem[] };

// The schema's own lists allow more; no document that people write comes near.
const maxDocumentNodes = 200_000;
const maxDocumentDepth = 48;
const maxProblems = 100;

const { MappingDocument: root, ...definitions } = mappingSchemas('#/$defs/');
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
const isMapping = ajv.compile<MappingDocument>({ ...root, $defs: definitions });

/** Checks a mapping document and compiles it once. Every problem is listed (at most 100). */
export function compileMapping(document: unknown): CompileResult {
  if (!isBounded(document)) {
    return {
      ok: false,
      problems: [
        {
          path: '',
          ...documentProblem('document_too_large', 'The document is too large or too deep.'),
        },
      ],
    };
  }
  if (!isMapping(document)) {
    const problems = describe(isMapping.errors ?? []);
    const sound = stripInvalidParts(
      document,
      problems.map(({ path }) => path),
    );
    if (isMapping(sound)) problems.push(...compileSound(sound).problems);
    return { ok: false, problems: problems.slice(0, maxProblems) };
  }
  const { mapping, problems } = compileSound(document);
  return problems.length === 0
    ? { ok: true, mapping }
    : { ok: false, problems: problems.slice(0, maxProblems) };
}

/** What is compiled is of use only without problems. */
function compileSound(document: MappingDocument) {
  const compilation: Compilation = {
    problems: [],
    headers: new Set(),
    queries: new Set(),
    sources: 0,
  };
  return { mapping: compileDocument(document, compilation), problems: compilation.problems };
}

// The validator recurses, so depth is looked at first, level by level.
function isBounded(document: unknown): boolean {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDocumentDepth) return false;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return isWithinSize(document, maxDocumentNodes);
}

function compileDocument(document: MappingDocument, compilation: Compilation): CompiledMapping {
  const { split, filter, eventId, eventType, eventDate, contact, message, context } = document;
  const node = (text: string | undefined, pointer: string): Node | null =>
    text === undefined ? null : compileNode(text, { pointer, strict: false }, compilation);
  const target = (source: Source | undefined, name: string, finish = finishes.text) =>
    compileTarget(source, { name, finish }, compilation);
  const parts = {
    split: node(split, '/split'),
    filter: node(filter, '/filter'),
    eventId: eventId ? compileEventId(eventId, compilation) : null,
    recipe: eventIdRecipe(document),
    eventIdRequired: eventId?.required ?? false,
    eventType: target(eventType, 'eventType'),
    eventDate: target(eventDate, 'eventDate', finishes.date),
    contact: compileContact(contact ?? {}, compilation),
    text: target(message?.text, 'message.text', finishes.message),
    context: compileContext(context ?? {}, compilation),
  };
  if (eventId) compilation.problems.push(...problemsOfId(eventId, split !== undefined));
  const [readsHeaders, readsQueries] = [[...compilation.headers], [...compilation.queries]];
  return { document, splits: parts.split !== null, readsHeaders, readsQueries, ...parts };
}

/** Events of one id are one event: what cannot tell them apart would swallow all but the first. */
function problemsOfId(eventId: Source, splits: boolean): LocatedDocumentProblem[] {
  const problemOf = (kind: DocumentProblemKind, message: string) => [
    { path: '/eventId', ...documentProblem(kind, message) },
  ];
  if (mayBeConstant(eventId)) {
    return problemOf('constant_id', 'May be the same for every event, so that all would be one.');
  }
  if (!splits || dependsOnItem(eventId)) return [];
  const message = 'Reads nothing of the item, so that all items of a body would be one event.';
  return problemOf('split_without_id', message);
}

function compileContact(contact: ContactMapping, compilation: Compilation): CompiledContact {
  const target = (name: Exclude<keyof ContactMapping, 'fields'>, finish = finishes.text) =>
    compileTarget(contact[name], { name: `contact.${name}`, finish }, compilation);
  return {
    externalId: target('externalId', finishes.identity),
    name: target('name'),
    phone: target('phone', finishes.phone),
    email: target('email', finishes.email),
    document: target('document', finishes.document),
    fields: compileFields(contact.fields ?? {}, 'contact.fields', compilation),
  };
}

function compileContext(context: ContextMapping, compilation: Compilation): CompiledContext {
  const target = (source: Source | undefined, name: string) =>
    compileTarget(source, { name: `context.${name}`, finish: finishes.text }, compilation);
  return {
    origin: target(context.origin, 'origin'),
    campaign: target(context.campaign, 'campaign'),
    labels: (context.labels ?? []).flatMap((source, i) => target(source, `labels.${i}`) ?? []),
    sector: target(context.sector, 'sector'),
    fields: compileFields(context.fields ?? {}, 'context.fields', compilation),
  };
}

function compileFields(
  fields: Record<string, Source>,
  prefix: string,
  compilation: Compilation,
): [string, CompiledTarget][] {
  return Object.entries(fields).flatMap(([name, source]) => {
    const place = { name: `${prefix}.${name}`, finish: finishes.field };
    const target = compileTarget(source, place, compilation);
    return target === null ? [] : [[name, target] as [string, CompiledTarget]];
  });
}

/** One problem for each error that means something to the document's author. */
function describe(errors: readonly ErrorObject[]): LocatedDocumentProblem[] {
  return errors.filter((error) => !error.schemaPath.includes('/oneOf/')).map(describeOne);
}

/** By the schema's keyword, with the parameter that says what it is about. */
const schemaFaults: Readonly<Record<string, readonly [DocumentProblemKind, string]>> = {
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

function describeOne({
  keyword,
  instancePath,
  params,
  message,
}: ErrorObject): LocatedDocumentProblem {
  const extra: unknown = params.additionalProperty;
  if (typeof extra === 'string') {
    const found = documentProblem('part_unknown', 'There is no such part here.', extra);
    return { path: `${instancePath}/${escapePointerKey(extra)}`, ...found };
  }
  if (keyword === 'oneOf') {
    const words = `A source has exactly one of ${sourceKinds.join(', ')}.`;
    return { path: instancePath, ...documentProblem('source_kind', words) };
  }
  const allowed: unknown = params.allowedValues;
  const choices = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const words = `${message ?? 'not acceptable'}${choices}`;
  if (keyword === 'pattern' && /\/transforms\/\d+$/.test(instancePath)) {
    return { path: instancePath, ...documentProblem('transform_unknown', words) };
  }
  const [kind, name] = schemaFaults[keyword] ?? ['not_acceptable', ''];
  const about: unknown = params[name];
  const told = Array.isArray(about)
    ? about.join(', ')
    : isScalar(about)
      ? String(about)
      : undefined;
  return { path: instancePath, ...documentProblem(kind, words, told) };
}
