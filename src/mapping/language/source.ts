/**
 * Sources: where a value is read from. `compileSource` runs once for each mapping, `readSource` for each event.
 */
import type { Scalar, Source } from '../../domain/mappings/mapping.ts';
import type { PlaceholderUse } from '../../domain/people/placeholder.ts';
import { documentProblem } from '../document-problem.ts';
import { evaluate, type Node } from '../expressions/interpreter.ts';
import { charge } from '../expressions/work-budget.ts';
import {
  parseTemplate,
  pathsOfTemplate,
  renderTemplate,
  type TemplatePart,
} from '../transforms/template-text.ts';
import { maxResultLength, tooLongMessage, usualWork } from '../transforms/transform.ts';
import { isEmpty, toText } from '../value.ts';
import {
  childLocation,
  compileNode,
  maxSources,
  type Compilation,
  type SourceLocation,
} from './compilation.ts';
import {
  expressionErrorMessage,
  recordBudgetExceeded,
  reportMissing,
  reportProblem,
  type MappingRun,
} from './mapping-run.ts';
import { withoutPlaceholder } from './placeholders.ts';
import { applyStep, compileSteps, type TransformStep } from './step.ts';
import { textWith } from '../../base/texts/texts.ts';

type SourceKind =
  | { readonly kind: 'path'; readonly path: string; readonly node: Node; readonly root: boolean }
  | { readonly kind: 'header' | 'query'; readonly name: string; readonly label: string }
  | { readonly kind: 'const'; readonly value: Scalar }
  | { readonly kind: 'first'; readonly sources: readonly CompiledSource[] }
  | { readonly kind: 'join'; readonly parts: readonly JoinPart[]; readonly separator: string }
  | CompiledTemplate;

type CompiledTemplate = {
  readonly kind: 'template';
  readonly parts: readonly TemplatePart[];
  /** The expressions of the fields and conditions, by their text. */
  readonly nodes: ReadonlyMap<string, Node>;
};

export type CompiledSource = SourceKind & {
  /** An event id takes texts and numbers only, and a join of which every part has a value. */
  readonly strict: boolean;
  /** What the value is judged as; null where every value counts. */
  readonly use: PlaceholderUse | null;
  readonly steps: readonly TransformStep[];
  readonly default: Scalar | undefined;
  readonly required: boolean;
};

export interface JoinPart {
  readonly source: CompiledSource;
  /** False for constants, whose blanks are intended. */
  readonly trims: boolean;
}

export function compileSource(
  source: Source,
  location: SourceLocation,
  compilation: Compilation,
): CompiledSource {
  compilation.sources += 1;
  if (compilation.sources === maxSources + 1) {
    const message = textWith('document.too_many_sources', { max: maxSources });
    const problem = documentProblem('too_many_sources', message, String(maxSources));
    compilation.problems.push({ path: location.pointer, ...problem });
  }
  return {
    ...compileKind(source, location, compilation),
    strict: location.strict,
    use: location.use,
    steps: compileSteps(source.transforms ?? [], location, compilation),
    default: source.default,
    required: source.required ?? false,
  };
}

function compileKind(
  source: Source,
  location: SourceLocation,
  compilation: Compilation,
): SourceKind {
  if ('path' in source) {
    const { path, root = false } = source;
    const node = compileNode(path, childLocation(location, 'path'), compilation);
    return { kind: 'path', path, node, root };
  }
  if ('const' in source) return { kind: 'const', value: source.const };
  if ('header' in source) {
    const name = source.header.toLowerCase();
    compilation.headers.add(name);
    return { kind: 'header', name, label: `header ${source.header}` };
  }
  if ('query' in source) {
    compilation.queries.add(source.query);
    return { kind: 'query', name: source.query, label: `query ${source.query}` };
  }
  if ('first' in source) {
    const sources = source.first.map((each, i) =>
      compileSource(each, childLocation(location, 'first', i), compilation),
    );
    return { kind: 'first', sources };
  }
  if ('template' in source) return compileTemplate(source.template, location, compilation);
  const parts = compileParts(source.join, location, compilation);
  return { kind: 'join', parts, separator: source.with ?? ' ' };
}

function compileTemplate(
  text: string,
  location: SourceLocation,
  compilation: Compilation,
): CompiledTemplate {
  const at = childLocation(location, 'template');
  const parsed = parseTemplate(text);
  if (!parsed.ok) compilation.problems.push({ path: at.pointer, ...parsed.problem });
  const parts = parsed.ok ? parsed.parts : [];
  const paths = new Set(pathsOfTemplate(parts));
  const nodes = new Map([...paths].map((path) => [path, compileNode(path, at, compilation)]));
  return { kind: 'template', parts, nodes };
}

export const compileParts = (
  sources: Source[],
  location: SourceLocation,
  compilation: Compilation,
): JoinPart[] =>
  sources.map((source, i) => ({
    source: compileSource(
      source,
      { ...childLocation(location, 'join', i), use: useOfPart(location.use) },
      compilation,
    ),
    trims: !('const' in source),
  }));

/** A part of a number or an address means nothing by itself: the area code 11, the words of a mailbox. */
const useOfPart = (use: PlaceholderUse | null): PlaceholderUse | null =>
  use === 'phone' || use === 'email' || use === 'document' ? null : use;

/** Reads a source with its transforms and its default. Returns a JSON value, null when it is absent. */
function readSource(source: CompiledSource, run: MappingRun): unknown {
  const value = readValue(source, run);
  if (!isEmpty(value)) return value;
  if (source.default !== undefined) return traced(run, 'default', source.default);
  return source.required ? reportMissing(run) : value;
}

/**
 * Reads a source with its transforms. A placeholder in the payload is null; what the mapping itself says is not judged. The caller
 * handles the default and `required`.
 */
export function readValue(source: CompiledSource, run: MappingRun): unknown {
  const { use, steps, kind } = source;
  let value = readKind(source, run);
  // A table may give a placeholder a meaning.
  const isJudged = kind !== 'const' && kind !== 'first';
  const hasTable = steps.some(({ transform }) => transform.name === 'lookup');
  if (isJudged && !hasTable) value = withoutPlaceholder(use, value, run);
  if (steps.length === 0) return value;
  for (const step of steps) value = applyStep(step, value, run);
  return kind === 'const' ? value : withoutPlaceholder(use, value, run);
}

function readKind(source: CompiledSource, run: MappingRun): unknown {
  const { payload } = run;
  switch (source.kind) {
    case 'path': {
      const value = evaluateNode(source.node, source.root ? payload.body : run.item, run);
      return ofStrict(source, traced(run, source.path, value), run);
    }
    case 'const':
      return ofStrict(source, traced(run, 'const', source.value), run);
    case 'header':
      return traced(run, source.label, ownText(payload.headers, source.name));
    case 'query':
      return traced(run, source.label, ownText(payload.query, source.name));
    case 'first':
      return readFirst(source.sources, run);
    case 'join':
      return readJoin(source, run);
    case 'template':
      return traced(run, 'template', readTemplate(source, run));
  }
}

function evaluateNode(node: Node, value: unknown, run: MappingRun): unknown {
  try {
    return evaluate(node, value, run.budget);
  } catch (error) {
    recordBudgetExceeded(run, error);
    return reportProblem(run, 'path_failed', expressionErrorMessage(error));
  }
}

function ofStrict({ strict }: CompiledSource, value: unknown, run: MappingRun): unknown {
  if (!strict || typeof value === 'string' || typeof value === 'number' || isEmpty(value)) {
    return value;
  }
  return reportProblem(run, 'not_text', 'problem.event_id_type');
}

/** Returns null when no field of the template has a value. */
function readTemplate(
  { parts, nodes, use }: CompiledTemplate & Pick<CompiledSource, 'use'>,
  run: MappingRun,
): string | null {
  const placeholdersBefore = run.placeholders;
  const read = (path: string): unknown => {
    const node = nodes.get(path);
    const value = node === undefined ? null : evaluateNode(node, run.item, run);
    return withoutPlaceholder(useOfPart(use), value, run);
  };
  const rendered = renderTemplate(parts, read, maxResultLength);
  if (rendered === null) return reportProblem(run, 'too_long', tooLongMessage);
  try {
    charge(run.budget, usualWork(rendered.text.length));
  } catch (error) {
    recordBudgetExceeded(run, error);
    return reportProblem(run, 'path_failed', expressionErrorMessage(error));
  }
  if (use === 'identity' && run.placeholders > placeholdersBefore) return null;
  return rendered.hasValue ? rendered.text : null;
}

const ownText = (values: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null;

function readFirst(sources: readonly CompiledSource[], run: MappingRun): unknown {
  for (const source of sources) {
    const value = readSource(source, run);
    if (!isEmpty(value)) return value;
  }
  run.trace = null;
  return null;
}

function readJoin(
  { parts, separator, strict, use }: Extract<CompiledSource, { kind: 'join' }>,
  run: MappingRun,
): string | null {
  const placeholdersBefore = run.placeholders;
  const texts = readParts(parts, run);
  run.joined = texts;
  // What is left would be the id of an account or a shop, and all its people would be one.
  if (use === 'identity' && run.placeholders > placeholdersBefore) return null;
  const present = texts.filter((text) => text !== null);
  if (present.length === 0 || (strict && present.length < texts.length)) return null;
  return present.join(separator);
}

/** Reads the parts of a join as texts; null for an absent one. */
export function readParts(parts: readonly JoinPart[], run: MappingRun): (string | null)[] {
  const labels: string[] = [];
  const texts = parts.map(({ source, trims }) => {
    const text = textOf(readSource(source, run), run);
    if (run.trace !== null) labels.push(run.trace.source);
    return text !== null && trims ? text.trim() : text;
  });
  run.trace = run.traces === null ? null : { source: labels.join(' + '), raw: texts };
  return texts;
}

function textOf(value: unknown, run: MappingRun): string | null {
  if (isEmpty(value)) return null;
  const text = toText(value);
  return text ?? reportProblem(run, 'not_text', 'problem.not_text');
}

function traced(run: MappingRun, source: string, raw: unknown): unknown {
  if (run.traces !== null) run.trace = { source, raw };
  return raw;
}
