/**
 * Samples that are another sample in a wrapping object, such as `{ payload: … }`: they are read by the same mapping, once from the
 * root and once inside the wrapper.
 */
import { isJsonObject } from '../src/base/json/json-values.ts';
import type { MappingDocument, Payload, Source } from '../src/domain/mappings/mapping.ts';
import { mapSources } from '../src/mapping/language/map-sources.ts';
import { childPath } from './leaves/jmespath.ts';
import { sourcesOf } from './several-samples.ts';

const maxDepth = 4;
const maxPaths = 300;
const maxPositions = 30;
/** Shares of the paths that two bodies of the same structure have in common, and two of different ones. */
const same = 0.6;
const different = 0.3;

/** Returns the samples with the wrapped ones unwrapped, and the paths of the wrapping objects. */
export function unwrapSamples(samples: readonly Payload[]) {
  const roots = samples.map(({ body }) => pathsOf(body));
  const structures = [...new Map(roots.map((root) => [[...root].join('\n'), root])).values()];
  const base = structures.find((root) =>
    samples.some(({ body }, i) => wrapperOf(body, { own: roots[i] ?? root, root }) !== null),
  );
  if (base === undefined) return { samples, wrappers: [] };
  const wrappers = new Set<string>();
  const unwrapped = samples.map((sample, i) => {
    const found = wrapperOf(sample.body, { own: roots[i] ?? base, root: base });
    if (found === null) return sample;
    wrappers.add(found.path);
    return { ...sample, body: found.value };
  });
  return { samples: unwrapped, wrappers: [...wrappers] };
}

interface Position {
  readonly path: string;
  readonly value: unknown;
}

/** Returns the object in a body that has the structure of the root, when the body itself has another one. */
function wrapperOf(
  body: unknown,
  { own, root }: { own: ReadonlySet<string>; root: ReadonlySet<string> },
): Position | null {
  if (own === root || root.size < 2 || likeness(own, root) > different) return null;
  const found = positionsIn(body).find(({ value }) => likeness(pathsOf(value), root) >= same);
  return found ?? null;
}

/** The objects inside a body and inside these. */
function positionsIn(body: unknown): Position[] {
  const inside = ({ path, value }: Position): Position[] =>
    Object.entries(isJsonObject(value) ? value : {})
      .filter(([, inner]) => isJsonObject(inner))
      .map(([key, inner]) => ({ path: childPath(path, key), value: inner }));
  const first = inside({ path: '', value: body });
  return [...first, ...first.flatMap(inside)].slice(0, maxPositions);
}

/** Returns the paths of the values of a body. */
function pathsOf(body: unknown): Set<string> {
  const paths = new Set<string>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (paths.size >= maxPaths) return;
    if (Array.isArray(value) && depth < maxDepth) visit(value[0], `${path}[]`, depth + 1);
    else if (isJsonObject(value) && depth < maxDepth)
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`, depth + 1);
    else paths.add(path);
  };
  visit(body, '', 0);
  return paths;
}

/** The share of the smaller set that is in the other one. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [smaller, larger] = a.size < b.size ? [a, b] : [b, a];
  if (smaller.size < 2) return 0;
  return [...smaller].filter((path) => larger.has(path)).length / smaller.size;
}

/** Returns the mapping with every source read at the root and inside each wrapper. */
export function readInWrappers(mapping: MappingDocument, wrappers: readonly string[]) {
  if (wrappers.length === 0) return mapping;
  const { filter, ...sources } = mapping;
  const inner = `(${[...wrappers, '@'].join(' || ')})`;
  const read = mapSources(sources, (source) => readEverywhere(source, wrappers));
  return { ...read, ...(filter !== undefined && { filter: `${inner} | ${filter}` }) };
}

function readEverywhere(source: Source, wrappers: readonly string[]): Source {
  const all = [source, ...wrappers.map((wrapper) => inWrapper(source, wrapper))];
  const texts = all.flatMap(sourcesOf).map((each) => JSON.stringify(each));
  const first = [...new Set(texts)].map((text) => JSON.parse(text) as Source);
  return first.length > 1 ? withSharedTransforms(first) : source;
}

/** Transforms that all sources have are written once, after them. */
function withSharedTransforms(first: readonly Source[]): Source {
  const uses = new Set(first.map(({ transforms }) => JSON.stringify(transforms)));
  const shared = first[0]?.transforms;
  if (uses.size > 1 || shared === undefined || first.some((each) => 'join' in each))
    return { first: [...first] };
  return { first: first.map(withoutTransforms), transforms: shared };
}

const withoutTransforms = (source: Source): Source =>
  Object.fromEntries(
    Object.entries(source).filter(([key]) => key !== 'transforms'),
  ) as unknown as Source;

/** Returns the path of what a path reads in the wrapping object. */
export const within = (wrapper: string, path: string): string =>
  /^["A-Za-z_]/.test(path) &&
  !/^\w+\(/.test(path) &&
  !path.includes(' || ') &&
  !path.includes(' && ')
    ? `${wrapper}.${path}`
    : `${wrapper} | ${path}`;

export function inWrapper(source: Source, wrapper: string): Source {
  if ('join' in source)
    return { ...source, join: source.join.map((each) => inWrapper(each, wrapper)) };
  if ('first' in source)
    return { ...source, first: source.first.map((each) => inWrapper(each, wrapper)) };
  if (!('path' in source)) return source;
  const transforms = source.transforms?.map((use) =>
    typeof use === 'object' && typeof use.phone?.regionPath === 'string'
      ? { phone: { ...use.phone, regionPath: within(wrapper, use.phone.regionPath) } }
      : use,
  );
  return { ...source, path: within(wrapper, source.path), ...(transforms && { transforms }) };
}
