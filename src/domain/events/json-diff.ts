/** Differences between two decoded bodies. */
import { escapePointerKey, parsePointer } from '../../base/json/json-pointer.ts';

export type ValueChange = {
  /** JSON pointer. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
};

/** Upper limit of listed differences. */
export const maxChanges = 200;

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the first 200 differences, in the order of the first body. The decoder bounds the depth. */
export function changesBetween(before: unknown, after: unknown): ValueChange[] {
  const changes: ValueChange[] = [];
  compare({ before, after, path: '' }, changes);
  return changes;
}

type Pair = { readonly before: unknown; readonly after: unknown; readonly path: string };

function compare({ before, after, path }: Pair, changes: ValueChange[]): void {
  if (changes.length >= maxChanges || Object.is(before, after)) return;
  const areAlike =
    isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after);
  if (!areAlike) {
    changes.push({ path, kind: 'changed', before, after });
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const pair = {
      before: before[name],
      after: after[name],
      path: `${path}/${escapePointerKey(name)}`,
    };
    if (Object.hasOwn(before, name) && Object.hasOwn(after, name)) compare(pair, changes);
    else if (changes.length < maxChanges)
      changes.push(addedOrRemoved(pair, Object.hasOwn(after, name)));
  }
}

const addedOrRemoved = ({ before, after, path }: Pair, isAdded: boolean): ValueChange =>
  isAdded
    ? { path, kind: 'added', before: null, after }
    : { path, kind: 'removed', before, after: null };

/** Returns the value at the pointer, or undefined. */
export function valueAt(tree: unknown, path: string): unknown {
  return parsePointer(path).reduce<unknown>(
    (inner, key) => (isTree(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    tree,
  );
}
