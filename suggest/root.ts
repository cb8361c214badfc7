/**
 * The part of a payload that is suggested for. The order of keys means nothing, so they are sorted; an object that only wraps another, such as
 * `{ data: { … } }`, and the request that a relay puts around a body, `{ headers, query, body }`, are left out.
 */
import { isJsonObject, type JsonObject } from '../src/base/json/json-values.ts';
import type { MappingDocument, Payload, Source } from '../src/domain/mappings/mapping.ts';
import { mapSources } from '../src/mapping/language/map-sources.ts';
import { replaceTemplatePaths } from '../src/mapping/transforms/template-text.ts';
import { childPath } from './leaves/jmespath.ts';
import { sortKeys } from './leaves/sort-keys.ts';
import { hasConcept, readName } from './names/concepts.ts';
import { pruneSample } from './prune.ts';
import { inWrapper, within } from './wrappers.ts';

interface Root {
  /** The samples without what wraps them. */
  readonly samples: readonly Payload[];
  /** The path of the root in the body; '' when nothing wraps it. */
  readonly path: string;
  /** The keys of wrappers that say whose data is inside, such as `contact`. */
  readonly keys: readonly string[];
  /** By its name in lower case, the path of each header that a relay received; null without a relay. */
  readonly headers: ReadonlyMap<string, string> | null;
}

const maxWrappers = 6;

export function findRoot(given: readonly Payload[]): Root {
  let root: Root = {
    samples: given.map((each) => ({ ...each, body: sortKeys(pruneSample(each.body)) })),
    path: '',
    keys: [],
    headers: null,
  };
  for (let count = 0; count < maxWrappers; count += 1) {
    const inner = descend(root);
    if (inner === null) break;
    root = inner;
  }
  return root;
}

function descend({ samples, path, keys, headers }: Root): Root | null {
  const wrappings = samples.map(({ body }) => wrappingOf(body));
  const [first] = wrappings;
  if (!first || wrappings.some((each) => each?.key !== first.key || each.isRelay !== first.isRelay))
    return null;
  const { key, isRelay } = first;
  const received = isRelay ? headerPaths(samples, childPath(path, 'headers')) : headers;
  const inner = samples.map((sample) => {
    const body = sample.body as JsonObject;
    const own = isRelay ? textsOf(body.headers) : sample.headers;
    return { ...sample, body: body[key], headers: own };
  });
  return {
    samples: inner,
    path: childPath(path, key),
    keys: saysOwner(key) ? [...keys, key] : keys,
    headers: received,
  };
}

type Wrapping = { readonly key: string; readonly isRelay: boolean };

/** What relays add to a request. */
const requestPart =
  /^(?:headers|query|query_?(?:string|params|parameters)|params|path|path_?params|method|url|webhook_?url|execution_?mode|host|protocol|ip|cookies|content_?type|timestamp|received_?at|id)$/i;

function wrappingOf(body: unknown): Wrapping | null {
  if (!isJsonObject(body)) return null;
  const keys = Object.keys(body);
  const [key] = keys;
  if (key !== undefined && keys.length === 1)
    return isJsonObject(body[key]) ? { key, isRelay: false } : null;
  const isRelay =
    isJsonObject(body.body) &&
    isJsonObject(body.headers) &&
    keys.every((each) => each === 'body' || requestPart.test(each));
  return isRelay ? { key: 'body', isRelay } : null;
}

/** Whether a key says whose data it holds. */
const saysOwner = (key: string): boolean =>
  hasConcept(readName(key), 'person', 'actor', 'thing', 'matter', 'form', 'past');

function textsOf(headers: unknown): Record<string, string> {
  const entries = Object.entries(isJsonObject(headers) ? headers : {});
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), value]));
}

const headerPaths = (samples: readonly Payload[], path: string): ReadonlyMap<string, string> =>
  new Map(
    samples
      .flatMap(({ body }) => Object.keys((body as JsonObject).headers ?? {}))
      .map((name) => [name.toLowerCase(), childPath(path, name)]),
  );

/** Returns the mapping of the root as one of the whole body. */
export function readAtRoot(mapping: MappingDocument, { path, headers }: Root): MappingDocument {
  if (path === '') return mapping;
  const { split, filter } = mapping;
  const move = (source: Source): Source => moveSource(source, { path, headers, split });
  return {
    ...mapSources(mapping, move),
    ...(split !== undefined && { split: within(path, split) }),
    ...(filter !== undefined && { filter: split === undefined ? `${path} | ${filter}` : filter }),
  };
}

type Move = Pick<Root, 'path' | 'headers'> & { readonly split: string | undefined };

/** Sources of an item stay as they are. */
function moveSource(source: Source, move: Move): Source {
  const { path, headers, split } = move;
  if ('header' in source) {
    const { header, ...rest } = source;
    const received = headers?.get(header.toLowerCase());
    if (received === undefined) return source;
    return { ...rest, path: received, ...(split !== undefined && { root: true }) };
  }
  const moveAll = (parts: readonly Source[]) => parts.map((part) => moveSource(part, move));
  if ('join' in source) return { ...source, join: moveAll(source.join) };
  if ('first' in source) return { ...source, first: moveAll(source.first) };
  const isOfItem = split !== undefined && !('path' in source && source.root);
  return isOfItem ? source : inWrapper(source, path);
}

/** Returns the path, as it is shown, of a candidate of the root. */
export function pathAtRoot(shown: string, isOfItem: boolean, { path, headers }: Root): string {
  if (path === '') return shown;
  const move = (part: string): string => {
    if (part.startsWith('header '))
      return headers?.get(part.slice('header '.length).toLowerCase()) ?? part;
    return isOfItem ? part : within(path, part);
  };
  return shown.split(' + ').map(move).join(' + ');
}

export const templateAtRoot = (template: string | null, { path }: Root): string | null =>
  template === null || path === ''
    ? template
    : replaceTemplatePaths(template, (each) => within(path, each));
