import type { Scalar, Source, SourceOptions, TransformUse } from '../domain/mapping.ts';
import { compileExpression } from './expression.ts';
import { evaluate } from './interpreter.ts';
import type { Node } from './interpreter.ts';
import type { Read, Run } from './run.ts';
import { report, reportMissing } from './run.ts';
import type { Transform } from './transform.ts';
import { transforms } from './transforms/registry.ts';
import { isEmpty, isScalar, toText } from './value.ts';

/** What compiling collects while it walks the document. */
export interface Compilation {
  readonly problems: { path: string; message: string }[];
  readonly headers: Set<string>;
  readonly queries: Set<string>;
  sources: number;
}

/** Each source is read once an event; the schema bounds each list, this bounds them together. */
export const maxSources = 500;

/** How a source is read: an id is strict about what is missing and what is no text. */
export interface Place {
  readonly pointer: string;
  readonly strict: boolean;
}

/** Compiles a source with all its options. */
export function compileSource(source: Source, place: Place, compilation: Compilation): Read {
  return withFallback(compileValue(source, place, compilation), source);
}

/** Compiles a source up to its transforms: default and required are left to the caller. */
export function compileValue(source: Source, place: Place, compilation: Compilation): Read {
  compilation.sources += 1;
  if (compilation.sources === maxSources + 1) {
    const message = `A mapping has at most ${maxSources} sources.`;
    compilation.problems.push({ path: place.pointer, message });
  }
  const base = compileKind(source, place, compilation);
  const steps = compileTransforms(source.transforms ?? [], place, compilation);
  return steps.length === 0
    ? base
    : (run) => steps.reduce((value, step) => step(value, run), base(run));
}

export const at = (place: Place, ...keys: (string | number)[]): Place => ({
  ...place,
  pointer: keys.reduce<string>(
    (pointer, key) => `${pointer}/${escapeKey(String(key))}`,
    place.pointer,
  ),
});

export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

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

function compileKind(source: Source, place: Place, compilation: Compilation): Read {
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
  place: Place,
  compilation: Compilation,
): Read {
  const node = compileNode(path, at(place, 'path'), compilation);
  return (run) => traced(run, path, readNode(node, root ? run.payload.body : run.item, run));
}

const nothing: Node = { type: 'Literal', value: null };

/** An expression that does not compile is a problem; the mapping is then refused, whatever stands in its place. */
export function compileNode(text: string, place: Place, compilation: Compilation): Node {
  const compiled = compileExpression(text);
  if (compiled.ok) return compiled.node;
  compilation.problems.push({ path: place.pointer, message: compiled.message });
  return nothing;
}

function readNode(node: Node, value: unknown, run: Run): unknown {
  try {
    return evaluate(node, value, run.meter);
  } catch (error) {
    return report(run, 'path_failed', messageOf(error));
  }
}

/** The library's messages name types and functions, never values. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'The expression failed.';

/** An id is a text or a number: what has no single spelling is none. */
function strictly(read: Read, { strict }: Place): Read {
  if (!strict) return read;
  return (run) => {
    const value = read(run);
    if (typeof value === 'string' || typeof value === 'number' || isEmpty(value)) return value;
    return report(run, 'not_text', 'An event id is a text or a number.');
  };
}

function compileFirst(sources: Source[], place: Place, compilation: Compilation): Read {
  const reads = sources.map((source, i) =>
    compileSource(source, at(place, 'first', i), compilation),
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
export function compileParts(sources: Source[], place: Place, compilation: Compilation) {
  const parts = sources.map((source, i) => ({
    read: compileSource(source, at(place, 'join', i), compilation),
    // A constant's blanks are meant.
    trims: !('const' in source),
  }));
  return (run: Run): (string | null)[] => {
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
  place: Place,
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

function textOf(value: unknown, run: Run): string | null {
  if (isEmpty(value)) return null;
  const text = toText(value);
  return text ?? report(run, 'not_text', 'The value is a list or an object, not a text.');
}

type Step = (value: unknown, run: Run) => unknown;

function compileTransforms(uses: TransformUse[], place: Place, compilation: Compilation): Step[] {
  return uses.flatMap((use, i) => {
    const [name, options] = typeof use === 'string' ? [use, {}] : (Object.entries(use)[0] ?? []);
    const transform = name === undefined ? undefined : transforms.get(name);
    if (transform === undefined || options === undefined) return [];
    const message = transform.check?.(options) ?? null;
    if (message !== null) {
      const { pointer } = at(
        place,
        'transforms',
        i,
        ...(typeof use === 'string' ? [] : [transform.name]),
      );
      compilation.problems.push({ path: pointer, message });
    }
    return [(value: unknown, run: Run) => applyTransform(transform, value, { run, options })];
  });
}

export function applyTransform(
  transform: Transform,
  value: unknown,
  { run, options }: { run: Run; options: Record<string, unknown> },
): unknown {
  if (isEmpty(value)) return null;
  if (!isScalar(value)) {
    return report(
      run,
      'not_text',
      `The value is a list or an object; ${transform.name} reads a text.`,
    );
  }
  try {
    const result = transform.apply(value, { options, region: run.region });
    return 'value' in result ? result.value : report(run, result.problem, result.message);
  } catch (error) {
    return report(run, 'transform_failed', messageOf(error));
  }
}

function traced(run: Run, source: string, raw: unknown): unknown {
  if (run.tracing) run.trace = { source, raw };
  return raw;
}
