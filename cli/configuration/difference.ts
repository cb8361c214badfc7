/** The difference between what Inlet has and what the files say, as lines for people and as a JSON merge patch. */
import { printable } from '../terminal/output.ts';
import { isObject, type Json } from './secrets.ts';

export type Change = { readonly path: string; readonly before?: unknown; readonly after?: unknown };

/** A whole object that is added or removed is shown member by member; a list is then one value. */
const hasMembers = (before: unknown, after: unknown): boolean => {
  if (Array.isArray(before) && Array.isArray(after)) return true;
  if (isObject(before) && isObject(after)) return true;
  const [whole, other] = before === undefined ? [after, before] : [before, after];
  return other === undefined && isObject(whole) && Object.keys(whole).length > 0;
};

/** The values that differ. */
export function changesBetween(before: unknown, after: unknown, path = ''): Change[] {
  if (before === after) return [];
  if (!hasMembers(before, after)) return [{ path, before, after }];
  const [old, next] = [before ?? {}, after ?? {}] as [Json, Json];
  return Object.keys({ ...old, ...next }).flatMap((name) =>
    changesBetween(old[name], next[name], path === '' ? name : `${path}.${name}`),
  );
}

export const isSame = (before: unknown, after: unknown): boolean =>
  changesBetween(before, after).length === 0;

/** RFC 7396: what is absent from `after` becomes null, lists are replaced. */
export function mergePatchOf(before: Json, after: Json): Json {
  const members = Object.keys({ ...before, ...after }).flatMap((name): [string, unknown][] => {
    const [old, next] = [before[name], after[name]];
    if (isSame(old, next)) return [];
    return [[name, isObject(old) && isObject(next) ? mergePatchOf(old, next) : (next ?? null)]];
  });
  return Object.fromEntries(members);
}

const shown = (value: unknown): string =>
  printable(typeof value === 'string' ? value : JSON.stringify(value));

export function describeChange({ path, before, after }: Change): string {
  if (before === undefined) return `${path}: ${shown(after)}`;
  return `${path}: ${shown(before)} → ${after === undefined ? 'removed' : shown(after)}`;
}

/** A copy without members that are null. */
export const withoutNulls = (value: object): Json =>
  JSON.parse(JSON.stringify(value, (_name, one: unknown) => one ?? undefined)) as Json;

/** The members with these names, in this order. */
export const pick = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, value[name]]));
