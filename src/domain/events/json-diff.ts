/** What is different between two decoded bodies, place by place. */
import { escapePointerKey, parsePointer } from '../../base/json/json-pointer.ts';

export type ValueChange = {
  /** A JSON pointer. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
};

/** Nobody reads more; a body that differs everywhere is another body. */
export const maxChanges = 200;

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The first two hundred, in the order of the first body. The depth is bounded by whoever decoded them. */
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
    else if (changes.length < maxChanges) changes.push(onlyOne(pair, Object.hasOwn(after, name)));
  }
}

const onlyOne = ({ before, after, path }: Pair, isAdded: boolean): ValueChange =>
  isAdded
    ? { path, kind: 'added', before: null, after }
    : { path, kind: 'removed', before, after: null };

/** What stands at the pointer; undefined where nothing does. */
export function valueAt(tree: unknown, path: string): unknown {
  return parsePointer(path).reduce<unknown>(
    (inner, key) => (isTree(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    tree,
  );
}
