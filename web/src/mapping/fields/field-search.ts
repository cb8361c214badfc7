/** Searches fields by name, title, path or value, and by the source of a mapping. */
import type { Source } from '../document/mapping-document.ts';
import { pathsIn } from '../document/template.ts';
import type { FieldNode } from './merge-payloads.ts';

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 500) : typeof value === 'number' ? String(value) : '';

function meets({ label, title, path, values }: FieldNode, word: string): boolean {
  return (
    plain(label).includes(word) ||
    plain(path).includes(word) ||
    (title !== null && plain(title).includes(word)) ||
    values.some((value) => plain(valueText(value)).includes(word))
  );
}

/** The matching nodes with their ancestors; all nodes when the search is empty. */
export function filterNodes(nodes: readonly FieldNode[], search: string): readonly FieldNode[] {
  const word = plain(search.trim());
  return word === '' ? nodes : filterTree(nodes, word);
}

const filterTree = (nodes: readonly FieldNode[], word: string): FieldNode[] =>
  nodes.flatMap((node) => {
    const children = filterTree(node.children, word);
    if (children.length > 0) return [{ ...node, children }];
    return node.role !== 'group' && meets(node, word) ? [{ ...node, children: [] }] : [];
  });

/** All nodes with children. */
export function branchesOf(nodes: readonly FieldNode[], limit = 500): string[] {
  const ids: string[] = [];
  let level = [...nodes];
  while (level.length > 0 && ids.length < limit) {
    const branches = level.filter(({ children }) => children.length > 0);
    ids.push(...branches.map(({ id }) => id));
    level = branches.flatMap(({ children }) => [...children]);
  }
  return ids.slice(0, limit);
}

/** The fields of bodies that a mapping can read, outermost first. */
export function leavesOf(nodes: readonly FieldNode[], limit: number): FieldNode[] {
  const found: FieldNode[] = [];
  let level = nodes.filter(({ role }) => role !== 'group');
  while (level.length > 0 && found.length < limit) {
    found.push(...level.filter(({ source }) => source?.path !== undefined && !source.transforms));
    level = level.flatMap(({ children }) => [...children]);
  }
  return found.slice(0, limit);
}

export const countOf = (nodes: readonly FieldNode[]): number =>
  nodes.reduce((sum, { children }) => sum + 1 + countOf(children), 0);

/** The path to the first matching node, itself included. */
export function ancestorsOfFirst(
  nodes: readonly FieldNode[],
  isWanted: (node: FieldNode) => boolean,
): readonly FieldNode[] | null {
  for (const node of nodes) {
    if (node.role !== 'group' && isWanted(node)) return [node];
    const below = ancestorsOfFirst(node.children, isWanted);
    if (below !== null) return [node, ...below];
  }
  return null;
}

/** The location that a source reads. */
export const locationOf = ({ path, root, header, query, transforms }: Source): string =>
  JSON.stringify([
    path ?? null,
    root ?? false,
    header?.toLowerCase() ?? null,
    query ?? null,
    transforms?.find((use) => use === 'json' || (typeof use === 'object' && 'json' in use)) ?? null,
  ]);

/** All locations that a source reads, including its parts. */
export const locationsOf = (source: Source): string[] => {
  const { template } = source;
  const ofTemplate = template === undefined ? undefined : pathsIn(template);
  const parts = source.first ?? source.join ?? ofTemplate?.map((path): Source => ({ path }));
  return parts ? parts.flatMap(locationsOf) : [locationOf(source)];
};

/** Normalizes a path for comparison: list indexes are ignored. */
export const normalizePath = (path: string): string =>
  path.replaceAll(/ \| \[0\]|\[\d*\]|\[\*\]/g, '').replaceAll(/\s*==\s*/g, '==');
