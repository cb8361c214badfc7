/**
 * Merges the payloads of one webhook into one tree of fields.
 *
 * Promises: each field occurs once, with the number of payloads that have it, its types, and its value in each
 * payload; keyed lists are shown by key; the work is bounded for any payload.
 */
import type { Source } from '../document/mapping-document.ts';
import { entriesOf, isFields, isScalar, type Entry } from './keyed-lists.ts';
import { displayPath, sourceOf, type Step } from './field-path.ts';

export type Kind = 'text' | 'number' | 'boolean' | 'object' | 'list' | 'empty';
type Role = 'key' | 'entry' | 'first' | 'all' | 'joined' | 'group';

export type FieldNode = {
  readonly id: string;
  readonly role: Role;
  readonly label: string;
  readonly title: string | null;
  /** The source of a mapping; null for a group. */
  readonly source: Source | null;
  readonly path: string;
  readonly kinds: readonly Kind[];
  /** The number of payloads that have it. */
  readonly present: number;
  /** By payload; `undefined` when absent. */
  readonly values: readonly unknown[];
  readonly children: readonly FieldNode[];
};

type Budget = { left: number; readonly isRoot: boolean };
type NodeSpec = {
  readonly steps: readonly Step[];
  readonly role: Role;
  readonly label: string;
  readonly title?: string | null;
};

const maxNodes = 40_000;
const maxDepth = 300;
const maxTextJson = 65_536;

const kindOf = (value: unknown): Kind => {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'list' : 'object';
};

/** The fields of payload bodies, or of the items of a split. */
export function mergeBodies(
  bodies: readonly unknown[],
  { isRoot = false } = {},
): readonly FieldNode[] {
  return childrenOf(bodies, [], { left: maxNodes, isRoot });
}

/** Headers or query parameters; `kind` selects the source kind. */
export function mergeNamed(
  all: readonly Readonly<Record<string, string>>[],
  kind: 'header' | 'query',
): readonly FieldNode[] {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return names.map((name) => {
    const values = all.map((one) => (Object.hasOwn(one, name) ? one[name] : undefined));
    return {
      id: `${kind} ${name}`,
      role: 'key',
      label: name,
      title: null,
      source: kind === 'header' ? { header: name } : { query: name },
      path: name,
      ...seen(values),
      children: [],
    };
  });
}

function seen(values: readonly unknown[]): Pick<FieldNode, 'kinds' | 'present' | 'values'> {
  const there = values.filter((value) => value !== undefined);
  const kinds = [...new Set(there.map(kindOf))];
  return {
    // An occasional empty value does not add a type.
    kinds: kinds.length > 1 ? kinds.filter((kind) => kind !== 'empty') : kinds,
    present: there.length,
    values,
  };
}

function buildNode(values: readonly unknown[], spec: NodeSpec, budget: Budget): FieldNode {
  budget.left -= 1;
  const { steps, role, label, title = null } = spec;
  const isDeep = steps.length >= maxDepth || budget.left <= 0;
  const { isRoot } = budget;
  return {
    id: `${isRoot ? 'root ' : ''}${role === 'joined' ? 'joined ' : ''}${displayPath(steps)}`,
    role,
    label,
    title,
    source: role === 'joined' ? joinedSource(steps, isRoot) : sourceOf(steps, isRoot),
    path: displayPath(steps),
    ...seen(values),
    children: isDeep || role === 'joined' ? [] : childrenOf(values, steps, budget),
  };
}

const joinedSource = (steps: readonly Step[], isRoot: boolean): Source => {
  const source = sourceOf(steps, isRoot);
  return { ...source, path: `join(', ', ${source.path ?? '@'})` };
};

function childrenOf(
  values: readonly unknown[],
  steps: readonly Step[],
  budget: Budget,
): FieldNode[] {
  const parsed = steps.some(({ is }) => is === 'inside') ? [] : values.map(parsedText);
  return [
    ...keysOf(values, steps, budget),
    ...elementsOf(values, steps, budget),
    ...(parsed.some((value) => value !== undefined)
      ? childrenOf(parsed, [...steps, { is: 'inside' }], budget)
      : []),
  ];
}

/** Parses a text that contains JSON; undefined for other texts. */
function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > maxTextJson || !/^\s*[[{]/.test(value)) {
    return undefined;
  }
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

function keysOf(values: readonly unknown[], steps: readonly Step[], budget: Budget): FieldNode[] {
  const objects = values.map((value) => (isFields(value) ? value : null));
  const keys = new Set(objects.flatMap((one) => (one === null ? [] : Object.keys(one))));
  const nodes: FieldNode[] = [];
  for (const key of keys) {
    if (budget.left <= 0) break;
    const inner = objects.map((one) =>
      one !== null && Object.hasOwn(one, key) ? one[key] : undefined,
    );
    const spec: NodeSpec = { steps: [...steps, { is: 'key', key }], role: 'key', label: key };
    nodes.push(buildNode(inner, spec, budget));
  }
  return nodes;
}

type Lists = readonly (readonly unknown[] | null)[];

function elementsOf(
  values: readonly unknown[],
  steps: readonly Step[],
  budget: Budget,
): FieldNode[] {
  const lists: Lists = values.map((value) => (Array.isArray(value) ? (value as unknown[]) : null));
  const all = lists.flatMap((list) => list?.slice(0, 1_000) ?? []);
  if (all.length === 0) return [];
  const keyed = lists.map((list) => (list === null || list.length === 0 ? [] : entriesOf(list)));
  if (keyed.every((entries) => entries !== null)) return entryNodes(keyed, steps, budget);
  const first: NodeSpec = { steps: [...steps, { is: 'at', index: 0 }], role: 'first', label: '1' };
  const firsts = lists.map((list) => list?.[0]);
  const longest = Math.max(...lists.map((list) => list?.length ?? 0));
  const nodes = [buildNode(firsts, first, budget)];
  if (longest > 1 && all.every((one) => typeof one === 'string')) {
    const joined = lists.map((list) => list?.slice(0, 50).join(', '));
    nodes.push(buildNode(joined, { steps, role: 'joined', label: '' }, budget));
  } else if (longest > 1 && all.some(isFields)) nodes.push(eachNode(lists, steps, budget));
  return nodes;
}

/** The common fields of all elements: each field is a list. */
function eachNode(lists: Lists, steps: readonly Step[], budget: Budget): FieldNode {
  const each: Step[] = [...steps, { is: 'each' }];
  const keys = new Set(
    lists.flatMap((list) =>
      (list ?? []).slice(0, 100).flatMap((one) => (isFields(one) ? Object.keys(one) : [])),
    ),
  );
  const children = [...keys].slice(0, 500).map((key) => {
    const values = lists.map((list) =>
      list?.flatMap((one) => (isFields(one) && isScalar(one[key]) ? [one[key]] : [])),
    );
    budget.left -= 1;
    return leaf(values, { steps: [...each, { is: 'key', key }], role: 'key', label: key }, budget);
  });
  const shown = children.filter(({ values }) =>
    values.some((value) => Array.isArray(value) && value.length > 0),
  );
  return {
    ...leaf(
      lists.map((list) => list ?? undefined),
      { steps: each, role: 'all', label: '' },
      budget,
    ),
    children: shown,
  };
}

const leaf = (values: readonly unknown[], spec: NodeSpec, { isRoot }: Budget): FieldNode => ({
  id: `${isRoot ? 'root ' : ''}${displayPath(spec.steps)}`,
  role: spec.role,
  label: spec.label,
  title: null,
  source: sourceOf(spec.steps, isRoot),
  path: displayPath(spec.steps),
  ...seen(values),
  children: [],
});

function entryNodes(
  keyed: readonly (readonly Entry[])[],
  steps: readonly Step[],
  budget: Budget,
): FieldNode[] {
  const byCondition = new Map<string, { entry: Entry; values: unknown[] }>();
  for (const [at, entries] of keyed.entries()) {
    for (const entry of entries) {
      const known = byCondition.get(entry.condition) ?? {
        entry,
        values: keyed.map(() => undefined),
      };
      // An entry that was empty at first has no path to its value yet.
      if (known.entry.rest.length < entry.rest.length) known.entry = entry;
      known.values[at] = entry.value ?? null;
      byCondition.set(entry.condition, known);
    }
  }
  return [...byCondition.values()].map(({ entry: { condition, label, title, rest }, values }) =>
    buildNode(
      values,
      { steps: [...steps, { is: 'entry', condition }, ...rest], role: 'entry', label, title },
      budget,
    ),
  );
}
