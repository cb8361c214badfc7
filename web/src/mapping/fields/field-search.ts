/** Looking for fields: by name, title, path or value, and by the source that a mapping names. */
import type { Source } from '../document/mapping-document.ts';
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

/** Nodes that meet the words, with all that lead to them; all of them where there are no words. */
export function matching(nodes: readonly FieldNode[], words: string): readonly FieldNode[] {
  const word = plain(words.trim());
  return word === '' ? nodes : kept(nodes, word);
}

const kept = (nodes: readonly FieldNode[], word: string): FieldNode[] =>
  nodes.flatMap((node) => {
    const children = kept(node.children, word);
    if (children.length > 0) return [{ ...node, children }];
    return node.role !== 'group' && meets(node, word) ? [{ ...node, children: [] }] : [];
  });

/** Every node that has others below it. */
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

/** Fields of bodies that a mapping could read, the outermost first. */
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

/** The way to the first node that is wanted, itself included. */
export function wayTo(
  nodes: readonly FieldNode[],
  isWanted: (node: FieldNode) => boolean,
): readonly FieldNode[] | null {
  for (const node of nodes) {
    if (node.role !== 'group' && isWanted(node)) return [node];
    const below = wayTo(node.children, isWanted);
    if (below !== null) return [node, ...below];
  }
  return null;
}

/** What of a source says where it reads. */
export const placeOf = ({ path, root, header, query, transforms }: Source): string =>
  JSON.stringify([
    path ?? null,
    root ?? false,
    header?.toLowerCase() ?? null,
    query ?? null,
    transforms?.find((use) => use === 'json' || (typeof use === 'object' && 'json' in use)) ?? null,
  ]);

/** All places that a source reads, its parts' included. */
export const placesOf = (source: Source): string[] => {
  const parts = source.first ?? source.join;
  return parts ? parts.flatMap(placesOf) : [placeOf(source)];
};

/** A path as it is compared with one that somebody else wrote: which element of a list does not count. */
export const plainPath = (path: string): string =>
  path.replaceAll(/ \| \[0\]|\[\d*\]|\[\*\]/g, '').replaceAll(/\s*==\s*/g, '==');
