/**
 * Compiles a mapping document.
 *
 * Promises: the whole document is checked and every problem is listed with its JSON pointer; each expression is compiled
 * once; a compiled mapping never changes.
 * Must never: throw, or accept an expression whose cost the work budget cannot see.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  identityTargets,
  type ContactMapping,
  type ContactTarget,
  type ContextMapping,
  type ContextTarget,
  type FormerMapping,
  type IdentityTarget,
  type MappingDocument,
  type Source,
} from '../../domain/mappings/mapping.ts';
import {
  documentProblem,
  type DocumentProblemKind,
  type LocatedDocumentProblem,
} from '../document-problem.ts';
import {
  createWorkBudget,
  WorkBudgetExceeded,
  type WorkBudget,
} from '../expressions/work-budget.ts';
import type { Node } from '../expressions/interpreter.ts';
import { isWithinSize } from '../value.ts';
import { maxCompileWork } from '../work-limits.ts';
import { compileNode, maxSources, type Compilation } from './compilation.ts';
import {
  compileEventId,
  dependsOnItem,
  eventIdRecipe,
  mayBeConstant,
  type CompiledEventId,
} from './event-id.ts';
import { schemaProblems, stripInvalidParts } from './schema-problems.ts';
import { mappingSchemas } from './schema.ts';
import { compileTarget, type CompiledTarget, type TargetKind } from './target.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

type CompiledFields = readonly (readonly [string, CompiledTarget])[];
type CompiledContact = Readonly<Record<ContactTarget, CompiledTarget | null>> & {
  readonly fields: CompiledFields;
  /** The separator of a name whose parts are kept by themselves; null for any other name. */
  readonly nameSeparator: string | null;
  /** Null when the mapping reads none. */
  readonly former: CompiledFormer | null;
};
type CompiledFormer = readonly (readonly [IdentityTarget, CompiledTarget])[];
type CompiledContext = Readonly<Record<ContextTarget, CompiledTarget | null>> & {
  readonly labels: readonly CompiledTarget[];
  readonly fields: CompiledFields;
};

export interface CompiledMapping {
  readonly document: MappingDocument;
  /** Whether a body has many items. */
  readonly splits: boolean;
  /** Names of the headers that the mapping may read, in lower case. */
  readonly readsHeaders: readonly string[];
  readonly readsQueries: readonly string[];
  readonly split: Node | null;
  readonly filter: Node | null;
  readonly removal: Node | null;
  readonly eventId: CompiledEventId | null;
  /** See `eventIdRecipe`. */
  readonly recipe: string;
  readonly eventType: CompiledTarget | null;
  readonly eventDate: CompiledTarget | null;
  readonly contact: CompiledContact;
  readonly text: CompiledTarget | null;
  readonly context: CompiledContext;
}

type CompileResult =
  | { ok: true; mapping: CompiledMapping }
  | { ok: false; problems: LocatedDocumentProblem[] };

// The schema's own bounds allow more than these; a document written by hand stays far below them.
const maxDocumentNodes = 200_000;
const maxDocumentDepth = 48;
const maxProblems = 100;

const { MappingDocument: root, ...definitions } = mappingSchemas('#/$defs/');
// Every process compiles the schema at its start. These options take 45 ms of CPU time instead of 140: a test checks the schema
// against its meta schema, and definitions that occur often are not copied into each place.
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  meta: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
});
const isMapping = ajv.compile<MappingDocument>({ ...root, $defs: definitions });

/**
 * Checks and compiles a mapping document within a budget of work. Lists at most 100 problems; only one when the document
 * exceeds the budget or another bound.
 */
export function compileMapping(
  document: unknown,
  budget: WorkBudget = createWorkBudget(maxCompileWork),
): CompileResult {
  if (!isBounded(document)) {
    return refused('document_too_large', 'document.too_large');
  }
  // Up to here the source at the bound can be named. Beyond it, listing every error of every source takes too long.
  if (countSources(document) > 2 * maxSources) {
    const message = textWith('document.too_many_sources', { max: maxSources });
    return refused('too_many_sources', message, String(maxSources));
  }
  try {
    return compileBounded(document, budget);
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
    return refused('too_much_work', 'document.too_much_work');
  }
}

const refused = (
  kind: DocumentProblemKind,
  message: PublicText,
  about?: string,
): CompileResult => ({
  ok: false,
  problems: [{ path: '', ...documentProblem(kind, message, about) }],
});

function compileBounded(document: unknown, budget: WorkBudget): CompileResult {
  if (!isMapping(document)) {
    const problems = schemaProblems(isMapping.errors ?? []);
    const paths = problems.map(({ path }) => path);
    const valid = stripInvalidParts(document, paths);
    if (isMapping(valid)) problems.push(...compileValid(valid, budget).problems);
    return { ok: false, problems: problems.slice(0, maxProblems) };
  }
  const { mapping, problems } = compileValid(document, budget);
  return problems.length === 0
    ? { ok: true, mapping }
    : { ok: false, problems: problems.slice(0, maxProblems) };
}

/** Compiles a document that fits the schema. The mapping must not be used when there are problems. */
function compileValid(document: MappingDocument, budget: WorkBudget) {
  const compilation: Compilation = {
    problems: [],
    headers: new Set(),
    queries: new Set(),
    sources: 0,
    budget,
  };
  return { mapping: compileDocument(document, compilation), problems: compilation.problems };
}

/** Counts the elements of all lists of sources, in valid documents and in others. */
function countSources(document: unknown): number {
  const stack: unknown[] = [document];
  let count = 0;
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(inner) && ['first', 'join', 'labels'].includes(key)) count += inner.length;
      stack.push(inner);
    }
  }
  return count;
}

// The validator recurses, so the depth is checked before, level by level.
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
  const { split, filter, removal, eventId, eventType, eventDate, contact, message, context } =
    document;
  const target = (source: Source | undefined, name: string, kind: TargetKind) =>
    compileTarget(source, { name, kind }, compilation);
  const parts = {
    split: compileOptionalNode(split, '/split', compilation),
    filter: compileOptionalNode(filter, '/filter', compilation),
    removal: compileOptionalNode(removal, '/removal', compilation),
    eventId: eventId === undefined ? null : compileEventId(eventId, compilation),
    recipe: eventIdRecipe(document),
    eventType: target(eventType, 'eventType', 'text'),
    eventDate: target(eventDate, 'eventDate', 'date'),
    contact: compileContact(contact ?? {}, compilation),
    text: target(message?.text, 'message.text', 'message'),
    context: compileContext(context ?? {}, compilation),
  };
  if (eventId !== undefined) {
    compilation.problems.push(...eventIdProblems(eventId, { splits: split !== undefined }));
  }
  const [readsHeaders, readsQueries] = [[...compilation.headers], [...compilation.queries]];
  return { document, splits: parts.split !== null, readsHeaders, readsQueries, ...parts };
}

const compileOptionalNode = (
  text: string | undefined,
  pointer: string,
  compilation: Compilation,
): Node | null =>
  text === undefined ? null : compileNode(text, { pointer, strict: false, use: null }, compilation);

/** Events with the same id are one event, so an id that cannot differ would lose all but the first. */
function eventIdProblems(
  eventId: Source,
  { splits }: { splits: boolean },
): LocatedDocumentProblem[] {
  const problem = (kind: DocumentProblemKind, message: PublicText) => [
    { path: '/eventId', ...documentProblem(kind, message) },
  ];
  if (mayBeConstant(eventId)) {
    return problem('constant_id', 'document.constant_id');
  }
  if (!splits || dependsOnItem(eventId)) return [];
  const message = 'document.split_without_id';
  return problem('split_without_id', message);
}

function compileContact(contact: ContactMapping, compilation: Compilation): CompiledContact {
  const target = (name: ContactTarget, kind: TargetKind) =>
    compileTarget(contact[name], { name: `contact.${name}`, kind }, compilation);
  return {
    externalId: target('externalId', 'identity'),
    name: target('name', 'text'),
    phone: target('phone', 'phone'),
    email: target('email', 'email'),
    document: target('document', 'document'),
    fields: compileFields(contact.fields ?? {}, 'contact.fields', compilation),
    nameSeparator: nameSeparatorOf(contact.name),
    former: contact.former === undefined ? null : compileFormer(contact.former, compilation),
  };
}

/** A transform of the whole name cannot be applied to its parts. */
const nameSeparatorOf = (name: Source | undefined): string | null =>
  name !== undefined && 'join' in name && name.parts === true && !name.transforms?.length
    ? (name.with ?? ' ')
    : null;

const compileFormer = (former: FormerMapping, compilation: Compilation): CompiledFormer =>
  identityTargets.flatMap((kind) => {
    const options = {
      name: `contact.former.${kind}`,
      kind: kind === 'externalId' ? ('identity' as const) : kind,
    };
    const target = compileTarget(former[kind], options, compilation);
    return target === null ? [] : [[kind, target] as const];
  });

function compileContext(context: ContextMapping, compilation: Compilation): CompiledContext {
  const target = (source: Source | undefined, name: string) =>
    compileTarget(source, { name: `context.${name}`, kind: 'text' }, compilation);
  return {
    origin: target(context.origin, 'origin'),
    campaign: target(context.campaign, 'campaign'),
    labels: (context.labels ?? []).flatMap((source, i) => target(source, `labels.${i}`) ?? []),
    sector: target(context.sector, 'sector'),
    fields: compileFields(context.fields ?? {}, 'context.fields', compilation),
  };
}

const compileFields = (
  fields: Record<string, Source>,
  prefix: string,
  compilation: Compilation,
): [string, CompiledTarget][] =>
  Object.entries(fields).flatMap(([name, source]) => {
    const options = { name: `${prefix}.${name}`, kind: 'field' as const };
    const target = compileTarget(source, options, compilation);
    return target === null ? [] : [[name, target] as [string, CompiledTarget]];
  });
