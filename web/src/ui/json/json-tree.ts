/**
 * A JSON value as a tree whose nodes are created on demand.
 *
 * Promises: works for any depth and width without recursion; never changes the value. Paths have the syntax of
 * mapping documents.
 */

type Kind = 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';

type Key = string | number | null;

/** A class, because there can be half a million nodes. */
export class Node {
  /** The member name or list index; null for the root. */
  readonly key: Key;
  readonly value: unknown;
  readonly parent: Node | null;
  /** From 1; the root is 0. */
  readonly level: number;
  /** The position among its siblings, from 1. */
  readonly position: number;
  #children: readonly Node[] | undefined;

  constructor(key: Key, value: unknown, place: { parent: Node; position: number } | null) {
    this.key = key;
    this.value = value;
    this.parent = place === null ? null : place.parent;
    this.level = place === null ? 0 : place.parent.level + 1;
    this.position = place === null ? 1 : place.position;
  }

  children(): readonly Node[] {
    return (this.#children ??= childrenOf(this));
  }
}

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'object' || type === 'number' || type === 'boolean' ? type : 'string';
}

function childrenOf(parent: Node): readonly Node[] {
  const { value } = parent;
  if (Array.isArray(value)) {
    return value.map((each: unknown, at) => new Node(at, each, { parent, position: at + 1 }));
  }
  if (typeof value !== 'object' || value === null) return none;
  return Object.entries(value).map(
    ([key, each], at) => new Node(key, each, { parent, position: at + 1 }),
  );
}

const none: readonly Node[] = [];

export const treeOf = (value: unknown): Node => new Node(null, value, null);

/** The number of children, without creating them. */
export function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

export type ExpandedNodes = ReadonlySet<Node>;

/** The visible nodes in order. The root itself is visible only when it has no children. */
export function rowsOf(root: Node, open: ExpandedNodes): Node[] {
  if (root.children().length === 0) return [root];
  const rows: Node[] = [];
  const left = root.children().toReversed();
  for (let node = left.pop(); node; node = left.pop()) {
    rows.push(node);
    if (open.has(node)) pushReversed(left, node.children());
  }
  return rows;
}

// Without spread, which overflows the stack for long lists.
function pushReversed(stack: Node[], nodes: readonly Node[]): void {
  for (let at = nodes.length - 1; at >= 0; at -= 1) {
    const node = nodes[at];
    if (node) stack.push(node);
  }
}

/** Expands level by level while at most `most` rows are visible. */
export function expandLevels(root: Node, limit: number): Set<Node> {
  const open = new Set<Node>();
  let seen = sizeOf(root.value);
  let level = root.children();
  while (level.length > 0) {
    const next: Node[] = [];
    for (const node of level) {
      const size = sizeOf(node.value);
      if (size === 0) continue;
      if (seen + size > limit) return open;
      seen += size;
      open.add(node);
      for (const child of node.children()) next.push(child);
    }
    level = next;
  }
  return open;
}

export function ancestorsOf(node: Node): Node[] {
  const found: Node[] = [];
  for (let each = node.parent; each !== null; each = each.parent) found.push(each);
  return found;
}

/** Finds at most `most` nodes whose name or scalar value contains the text, in order. */
export function findNodes(root: Node, text: string, limit: number): Node[] {
  const query = text.toLowerCase();
  const found: Node[] = [];
  const left: Node[] = [root];
  for (let node = left.pop(); node && found.length < limit; node = left.pop()) {
    if (node !== root && isNamed(node, query)) found.push(node);
    pushReversed(left, node.children());
  }
  return found;
}

function isNamed({ key, value }: Node, query: string): boolean {
  if (typeof key === 'string' && key.toLowerCase().includes(query)) return true;
  if (typeof value === 'object' && value !== null) return false;
  return String(value).toLowerCase().includes(query);
}

const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** In the syntax of a mapping: `lead.phones[0]."phone number"`. */
export function pathOf(node: Node): string {
  let path = '';
  for (const { key } of [node, ...ancestorsOf(node)].toReversed()) {
    if (typeof key === 'number') path += `[${key}]`;
    else if (key !== null) {
      path += `${path === '' ? '' : '.'}${isPlainName(key) ? key : JSON.stringify(key)}`;
    }
  }
  return path;
}

/** The text of a value for copying. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null');
