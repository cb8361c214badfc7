/** The difference between what Inlet has and what the files say, as lines for people and as a JSON merge patch. */
import diff from 'microdiff';
import { printable } from '../terminal/output.ts';
import { isObject, type Json } from './secrets.ts';

export type Change = { readonly path: string; readonly before?: unknown; readonly after?: unknown };

type Comparable = Record<string, unknown>;

/** The values that differ. A list of plain values is one value. */
export function changesBetween(before: Json, after: Json): Change[] {
  return diff(before as Comparable, after as Comparable).flatMap((one) => {
    const path = one.path.join('.');
    const former = one.type === 'CREATE' ? undefined : one.oldValue;
    const next = one.type === 'REMOVE' ? undefined : one.value;
    return leavesOf(path, former, next);
  });
}

/** A whole object that comes or goes, member by member. */
function leavesOf(path: string, before: unknown, after: unknown): Change[] {
  const whole = before ?? after;
  const isAlone = before === undefined || after === undefined;
  if (!isAlone || !isObject(whole) || Object.keys(whole).length === 0) {
    return [{ path, before, after }];
  }
  return Object.keys(whole).flatMap((name) =>
    leavesOf(
      `${path}.${name}`,
      isObject(before) ? before[name] : undefined,
      isObject(after) ? after[name] : undefined,
    ),
  );
}

export const isSame = (before: Json, after: Json): boolean =>
  changesBetween(before, after).length === 0;

/** RFC 7396: what is absent from `after` becomes null, lists are replaced. */
export function mergePatchOf(before: Json, after: Json): Json {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const members = [...names].flatMap((name): [string, unknown][] => {
    const [old, next] = [before[name], after[name]];
    if (isSame({ value: old }, { value: next })) return [];
    if (isObject(old) && isObject(next)) return [[name, mergePatchOf(old, next)]];
    return [[name, next ?? null]];
  });
  return Object.fromEntries(members);
}

const shown = (value: unknown): string =>
  printable(typeof value === 'string' ? value : JSON.stringify(value));

export function describeChange({ path, before, after }: Change): string {
  if (before === undefined) return `${path}: ${shown(after)}`;
  if (after === undefined) return `${path}: ${shown(before)} → removed`;
  return `${path}: ${shown(before)} → ${shown(after)}`;
}

/** A copy without members that are null or, then, empty. */
export function withoutNulls(value: Json): Json {
  const members = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    if (one === null || one === undefined) return [];
    return [[name, isObject(one) ? withoutNulls(one) : one]];
  });
  return Object.fromEntries(members);
}
