/**
 * Lists the paths of a body that a mapping reads, written as in `observe-body.ts`.
 *
 * The result is an approximation: an element that is read by its index counts as read at every index (`[*]`), and a filter
 * other than a selector by name counts as any element.
 */
import type {
  MappingDocument,
  Source,
  TransformUse,
  MappedEvent,
} from '../../domain/mappings/mapping.ts';
import { compileExpression } from '../expressions/expression.ts';
import type { Node } from '../expressions/interpreter.ts';
import { elementNameKeys, nameSelector, pathSegment } from './observe-body.ts';
import { pathsOfTemplateText } from '../transforms/template-text.ts';
import { transforms } from '../transforms/registry.ts';
import { valuesOf } from '../evaluation/diff-events.ts';

/** A position in the body. `list` marks a list that an expression made: its elements are at the path. */
type ReadPosition = { readonly path: string; readonly list: boolean };

// Each flattening doubles the positions. Real expressions have a few.
const maxPositions = 64;

/** Returns the paths that each target of the document reads. Paths outside of the item are left out. */
export function readPathsByTarget(
  document: MappingDocument,
): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, ReadonlySet<string>>();
  if (document.filter !== undefined) reads.set('filter', pathsOf(document.filter));
  if (document.removal !== undefined) reads.set('removal', pathsOf(document.removal));
  for (const [target, sources] of sourcesOf(document)) {
    const texts = sources.flatMap((source) => textsOf(source, document.split !== undefined));
    reads.set(target, new Set(texts.flatMap((text) => [...pathsOf(text)])));
  }
  return reads;
}

/** Returns a function that tells whether an observed path is one of the read paths. */
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
  if (compiled.ok) readResult(compiled.node, [{ path: '', list: false }], reads);
  reads.delete('');
  return reads;
}

/** Follows an expression and counts its result as read. */
function readResult(node: Node, from: readonly ReadPosition[], reads: Set<string>): ReadPosition[] {
  const positions = follow(node, from, reads);
  for (const { path } of positions) reads.add(path);
  return positions;
}

function follow(node: Node, from: readonly ReadPosition[], reads: Set<string>): ReadPosition[] {
  return walk(node, from, reads).slice(0, maxPositions);
}

function walk(node: Node, from: readonly ReadPosition[], reads: Set<string>): ReadPosition[] {
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
      readResult(node.condition, elementsOf(base), reads);
      return follow(node.right, selected(node.condition, base), reads).map(asList);
    }
    case 'Flatten':
      return flattened(follow(node.child, from, reads)).map(asList);
    case 'OrExpression':
      return [...follow(node.left, from, reads), ...follow(node.right, from, reads)];
    case 'Ternary':
      readResult(node.condition, from, reads);
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

/** Functions, comparisons and selections: all their operands are read. */
function readAll(node: Node, from: readonly ReadPosition[], reads: Set<string>): ReadPosition[] {
  const positions: ReadPosition[] = [];
  for (const value of Object.values(node).flat()) {
    if (typeof value !== 'object' || value === null || !('type' in value)) continue;
    const child = value as Node;
    if (child.type === 'ExpressionReference') readResult(child.child, elementsOf(positions), reads);
    else positions.push(...readResult(child, from, reads));
  }
  return positions;
}

const at = (path: string): ReadPosition => ({ path, list: false });
const asList = ({ path }: ReadPosition): ReadPosition => ({ path, list: true });
const join = (path: string, segment: string): string =>
  path === '' ? segment : `${path}.${segment}`;

const elementsOf = (positions: readonly ReadPosition[]): ReadPosition[] =>
  positions.map(({ path, list }) => at(list ? path : `${path}[*]`));

/** Elements that are lists are replaced by their elements. */
const flattened = (positions: readonly ReadPosition[]): ReadPosition[] =>
  positions.flatMap(({ path, list }) => [at(`${path}[*]`), ...(list ? [at(path)] : [])]);

/** `[?code=='PHONE']` selects one element, which may also be observed as `[]`. Any other condition may select any element. */
function selected(condition: Node, base: readonly ReadPosition[]): ReadPosition[] {
  if (condition.type !== 'Comparator' || condition.name !== 'EQ') return elementsOf(base);
  const { left, right } = condition;
  if (left.type !== 'Field' || right.type !== 'Literal' || !elementNameKeys.includes(left.name)) {
    return elementsOf(base);
  }
  const selector = nameSelector(left.name, right.value);
  if (selector === null) return elementsOf(base);
  return base.flatMap(({ path, list }) =>
    list ? [at(path)] : [at(`${path}${selector}`), at(`${path}[]`)],
  );
}

/** Returns the sources of each target that has any. */
export function sourcesOf(document: MappingDocument): [string, Source[]][] {
  const { eventId, eventType, eventDate, contact = {}, message, context = {} } = document;
  const { fields: contactFields = {}, former = {}, ...person } = contact;
  const { fields: contextFields = {}, labels, ...rest } = context;
  const named = (prefix: string, sources: Readonly<Record<string, Source | undefined>>) =>
    Object.entries(sources).map(([name, source]) => [`${prefix}${name}`, source] as const);
  const single = [
    ...named('', { eventId, eventType, eventDate }),
    ...named('contact.', person),
    ...named('contact.fields.', contactFields),
    ...named('contact.former.', former),
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

/** Returns the expressions of a source, of its parts, and of the options of its transforms. */
function textsOf(source: Source, splits: boolean): string[] {
  const ofTransforms = (source.transforms ?? []).flatMap(pathsOfTransform);
  if ('path' in source)
    return splits && source.root ? ofTransforms : [source.path, ...ofTransforms];
  if ('template' in source) return [...pathsOfTemplateText(source.template), ...ofTransforms];
  const inner = 'first' in source ? source.first : 'join' in source ? source.join : [];
  return [...inner.flatMap((part) => textsOf(part, splits)), ...ofTransforms];
}

function pathsOfTransform(use: TransformUse): string[] {
  if (typeof use === 'string') return [];
  return Object.entries(use).flatMap(([name, options]) =>
    (transforms.get(name)?.paths?.(options) ?? []).map(([, path]) => path),
  );
}

/** Whether the event is mapped for a person: neither ignored nor with a filter that failed. */
export const isMapped = ({ ignored, failure }: MappedEvent): boolean =>
  ignored === null && failure !== 'filter_failed';

const passedFilter = ({ ignored, failure }: MappedEvent): boolean =>
  ignored !== 'filter' && failure !== 'filter_failed';

/** Returns each target of the document, and whether it has a value. For an event that is not mapped, only `filter`. */
export function filledTargets(
  document: MappingDocument,
  mapped: MappedEvent,
): readonly (readonly [string, boolean])[] {
  const filter = document.filter === undefined ? [] : [['filter', passedFilter(mapped)] as const];
  if (!isMapped(mapped)) return filter;
  const values = new Map(valuesOf(mapped));
  const targets = sourcesOf(document).map(([target]) => target);
  return [...filter, ...targets.map((target) => [target, isPresent(values.get(target))] as const)];
}

const isPresent = (value: string | null | undefined): boolean =>
  value !== null && value !== undefined;
