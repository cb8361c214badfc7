/**
 * Which paths of a body a mapping reads, in the words of `observe.ts`.
 *
 * Approximate where an expression is: what stands in a list may be read by index, so it counts as read wherever in the
 * list it stands (`[*]`), and a filter other than "this element by its name" counts as any element.
 */
import type { MappingDocument, Source, TransformUse } from '../../domain/mappings/mapping.ts';
import { compileExpression } from '../expressions/expression.ts';
import type { Node } from '../expressions/interpreter.ts';
import { elementNameKeys, nameSelector, pathSegment } from './observe-body.ts';
import { transforms } from '../transforms/registry.ts';

/** A place in the body. Of a `list` that an expression made, the elements are at the path. */
type Place = { readonly path: string; readonly list: boolean };

// Each flattening doubles the places; nobody means more than a few.
const maxPlaces = 64;

/** Each target that the document has, with the paths that it reads. What is read outside the item is left out. */
export function readPathsByTarget(
  document: MappingDocument,
): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, ReadonlySet<string>>();
  if (document.filter !== undefined) reads.set('filter', pathsOf(document.filter));
  for (const [target, sources] of sourcesOf(document)) {
    const texts = sources.flatMap((source) => textsOf(source, document.split !== undefined));
    reads.set(target, new Set(texts.flatMap((text) => [...pathsOf(text)])));
  }
  return reads;
}

/** Whether something that was read is the path of an observation. */
export function createPathMatcher(reads: Iterable<string>): (path: string) => boolean {
  const exact = new Set<string>();
  const anywhere = new Set<string>();
  for (const read of reads) (read.includes('[*]') ? anywhere : exact).add(generic(read));
  return (path) => exact.has(path) || anywhere.has(withoutNames(path));
}

const withoutNames = (path: string): string => path.replaceAll(/\[\?[^\]]*\]/g, '[]');
const generic = (read: string): string =>
  read.includes('[*]') ? withoutNames(read).replaceAll('[*]', '[]') : read;

function pathsOf(text: string): Set<string> {
  const compiled = compileExpression(text);
  const reads = new Set<string>();
  if (compiled.ok) end(compiled.node, [{ path: '', list: false }], reads);
  reads.delete('');
  return reads;
}

/** What an expression gives is read. */
function end(node: Node, from: readonly Place[], reads: Set<string>): Place[] {
  const places = follow(node, from, reads);
  for (const { path } of places) reads.add(path);
  return places;
}

function follow(node: Node, from: readonly Place[], reads: Set<string>): Place[] {
  return walk(node, from, reads).slice(0, maxPlaces);
}

function walk(node: Node, from: readonly Place[], reads: Set<string>): Place[] {
  switch (node.type) {
    case 'Field':
      return from.map(({ path }) => at(join(path, pathSegment(node.name))));
    case 'Subexpression':
    case 'Pipe':
    case 'IndexExpression':
      return follow(node.right, follow(node.left, from, reads), reads);
    case 'Index':
      return elementsOf(from);
    case 'Slice':
      return elementsOf(from).map(asList);
    case 'Projection':
      return follow(node.right, elementsOf(follow(node.left, from, reads)), reads).map(asList);
    case 'ValueProjection': {
      const values = follow(node.left, from, reads).map(({ path }) => at(join(path, '*')));
      return follow(node.right, values, reads).map(asList);
    }
    case 'FilterProjection': {
      const base = follow(node.left, from, reads);
      end(node.condition, elementsOf(base), reads);
      return follow(node.right, chosen(node.condition, base), reads).map(asList);
    }
    case 'Flatten':
      return flattened(follow(node.child, from, reads)).map(asList);
    case 'OrExpression':
      return [...follow(node.left, from, reads), ...follow(node.right, from, reads)];
    case 'Ternary':
      end(node.condition, from, reads);
      return [...follow(node.trueExpr, from, reads), ...follow(node.falseExpr, from, reads)];
    case 'Root':
      return [at('')];
    case 'Current':
    case 'Identity':
      return [...from];
    case 'Literal':
      return [];
    default:
      return readAll(node, from, reads);
  }
}

/** Functions, comparisons and selections: all that they are given is read. */
function readAll(node: Node, from: readonly Place[], reads: Set<string>): Place[] {
  const places: Place[] = [];
  for (const value of Object.values(node).flat()) {
    if (typeof value !== 'object' || value === null || !('type' in value)) continue;
    const child = value as Node;
    if (child.type === 'ExpressionReference') end(child.child, elementsOf(places), reads);
    else places.push(...end(child, from, reads));
  }
  return places;
}

const at = (path: string): Place => ({ path, list: false });
const asList = ({ path }: Place): Place => ({ path, list: true });
const join = (path: string, segment: string): string =>
  path === '' ? segment : `${path}.${segment}`;

const elementsOf = (places: readonly Place[]): Place[] =>
  places.map(({ path, list }) => at(list ? path : `${path}[*]`));

/** Elements that are lists themselves give theirs. */
const flattened = (places: readonly Place[]): Place[] =>
  places.flatMap(({ path, list }) => [at(`${path}[*]`), ...(list ? [at(path)] : [])]);

/** `[?code=='PHONE']` names one element, which may also have been folded to `[]`. Anything else may be any element. */
function chosen(condition: Node, base: readonly Place[]): Place[] {
  if (condition.type !== 'Comparator' || condition.name !== 'EQ') return elementsOf(base);
  const { left, right } = condition;
  if (left.type !== 'Field' || right.type !== 'Literal' || !elementNameKeys.includes(left.name)) {
    return elementsOf(base);
  }
  const fold = nameSelector(left.name, right.value);
  if (fold === null) return elementsOf(base);
  return base.flatMap(({ path, list }) =>
    list ? [at(path)] : [at(`${path}${fold}`), at(`${path}[]`)],
  );
}

function sourcesOf(document: MappingDocument): [string, Source[]][] {
  const { eventId, eventType, eventDate, contact = {}, message, context = {} } = document;
  const { fields: contactFields = {}, ...person } = contact;
  const { fields: contextFields = {}, labels, ...rest } = context;
  const named = (prefix: string, sources: Readonly<Record<string, Source | undefined>>) =>
    Object.entries(sources).map(([name, source]) => [`${prefix}${name}`, source] as const);
  const single = [
    ...named('', { eventId, eventType, eventDate }),
    ...named('contact.', person),
    ...named('contact.fields.', contactFields),
    ...named('message.', { text: message?.text }),
    ...named('context.', rest),
    ...named('context.fields.', contextFields),
  ];
  const all = single.map(([target, source]): [string, Source[]] => [
    target,
    source ? [source] : [],
  ]);
  return [...all, ['context.labels', labels ?? []] satisfies [string, Source[]]].filter(
    ([, sources]) => sources.length > 0,
  );
}

/** The expressions of a source and of its parts, those that a transform reads beside the value included. */
function textsOf(source: Source, splits: boolean): string[] {
  const beside = (source.transforms ?? []).flatMap(pathsOfTransform);
  if ('path' in source) return splits && source.root ? beside : [source.path, ...beside];
  const inner = 'first' in source ? source.first : 'join' in source ? source.join : [];
  return [...inner.flatMap((part) => textsOf(part, splits)), ...beside];
}

function pathsOfTransform(use: TransformUse): string[] {
  if (typeof use === 'string') return [];
  return Object.entries(use).flatMap(([name, options]) =>
    (transforms.get(name)?.paths?.(options) ?? []).map(([, path]) => path),
  );
}
