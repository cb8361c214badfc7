import type { Scalar, Source, SourceOptions } from '../../domain/mappings/mapping.ts';
import { childLocation, compileNode, maxSources } from './compilation.ts';
import type { Compilation, SourceLocation } from './compilation.ts';
import { documentProblem } from '../document-problem.ts';
import { evaluate } from '../expressions/interpreter.ts';
import type { Node } from '../expressions/interpreter.ts';
import type { Read, MappingRun } from './mapping-run.ts';
import {
  expressionErrorMessage,
  recordBudgetExceeded,
  reportProblem,
  reportMissing,
} from './mapping-run.ts';
import { applyStep, compileSteps } from './step.ts';
import { isEmpty, toText } from '../value.ts';

/** Compiles a source with all its options. */
export function compileSource(
  source: Source,
  place: SourceLocation,
  compilation: Compilation,
): Read {
  return withFallback(compileValue(source, place, compilation), source);
}

/** Compiles a source up to its transforms: default and required are left to the caller. */
export function compileValue(
  source: Source,
  place: SourceLocation,
  compilation: Compilation,
): Read {
  compilation.sources += 1;
  if (compilation.sources === maxSources + 1) {
    const message = `A mapping has at most ${maxSources} sources.`;
    const found = documentProblem('too_many_sources', message, String(maxSources));
    compilation.problems.push({ path: place.pointer, ...found });
  }
  const base = compileKind(source, place, compilation);
  const steps = compileSteps(source.transforms ?? [], place, compilation);
  return steps.length === 0
    ? base
    : (run) => steps.reduce((value, step) => applyStep(step, value, run), base(run));
}

function withFallback(read: Read, options: SourceOptions): Read {
  const { default: fallback, required } = options;
  if (fallback === undefined && !required) return read;
  return (run) => {
    const value = read(run);
    if (!isEmpty(value)) return value;
    if (fallback !== undefined) return traced(run, 'default', fallback);
    return reportMissing(run);
  };
}

function compileKind(source: Source, place: SourceLocation, compilation: Compilation): Read {
  if ('path' in source) return strictly(compilePath(source, place, compilation), place);
  if ('const' in source) return strictly(readConst(source.const), place);
  if ('header' in source) {
    const name = source.header.toLowerCase();
    compilation.headers.add(name);
    return (run) => traced(run, `header ${source.header}`, ownText(run.payload.headers, name));
  }
  if ('query' in source) {
    compilation.queries.add(source.query);
    return (run) => traced(run, `query ${source.query}`, ownText(run.payload.query, source.query));
  }
  if ('first' in source) return compileFirst(source.first, place, compilation);
  return compileJoin(source, place, compilation);
}

const readConst =
  (value: Scalar): Read =>
  (run) =>
    traced(run, 'const', value);

const ownText = (values: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null;

function compilePath(
  { path, root }: { path: string; root?: boolean },
  place: SourceLocation,
  compilation: Compilation,
): Read {
  const node = compileNode(path, childLocation(place, 'path'), compilation);
  return (run) => traced(run, path, readNode(node, root ? run.payload.body : run.item, run));
}

function readNode(node: Node, value: unknown, run: MappingRun): unknown {
  try {
    return evaluate(node, value, run.meter);
  } catch (error) {
    recordBudgetExceeded(run, error);
    return reportProblem(run, 'path_failed', expressionErrorMessage(error));
  }
}

/** An id is a text or a number: what has no single spelling is none. */
function strictly(read: Read, { strict }: SourceLocation): Read {
  if (!strict) return read;
  return (run) => {
    const value = read(run);
    if (typeof value === 'string' || typeof value === 'number' || isEmpty(value)) return value;
    return reportProblem(run, 'not_text', 'An event id is a text or a number.');
  };
}

function compileFirst(sources: Source[], place: SourceLocation, compilation: Compilation): Read {
  const reads = sources.map((source, i) =>
    compileSource(source, childLocation(place, 'first', i), compilation),
  );
  return (run) => {
    for (const read of reads) {
      const value = read(run);
      if (!isEmpty(value)) return value;
    }
    run.trace = null;
    return null;
  };
}

/** Reads the parts of a join as texts; null stands for an absent one. */
export function compileParts(sources: Source[], place: SourceLocation, compilation: Compilation) {
  const parts = sources.map((source, i) => ({
    read: compileSource(source, childLocation(place, 'join', i), compilation),
    // A constant's blanks are meant.
    trims: !('const' in source),
  }));
  return (run: MappingRun): (string | null)[] => {
    const labels: string[] = [];
    const texts = parts.map(({ read, trims }) => {
      const text = textOf(read(run), run);
      if (run.trace) labels.push(run.trace.source);
      return text !== null && trims ? text.trim() : text;
    });
    run.trace = run.tracing ? { source: labels.join(' + '), raw: texts } : null;
    return texts;
  };
}

function compileJoin(
  source: { join: Source[]; with?: string },
  place: SourceLocation,
  compilation: Compilation,
): Read {
  const readParts = compileParts(source.join, place, compilation);
  const separator = source.with ?? ' ';
  return (run) => {
    const parts = readParts(run);
    const present = parts.filter((part) => part !== null);
    if (present.length === 0 || (place.strict && present.length < parts.length)) return null;
    return present.join(separator);
  };
}

function textOf(value: unknown, run: MappingRun): string | null {
  if (isEmpty(value)) return null;
  const text = toText(value);
  return text ?? reportProblem(run, 'not_text', 'The value is a list or an object, not a text.');
}

function traced(run: MappingRun, source: string, raw: unknown): unknown {
  if (run.tracing) run.trace = { source, raw };
  return raw;
}
