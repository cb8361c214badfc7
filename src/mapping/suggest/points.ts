/** Telephones and addresses of one person: the main one, then by their kinds, then the first. */
import { isScalar } from '../value.ts';
import { readName as reading } from './concepts.ts';
import { emit } from './emit.ts';
import type { Place, Walk } from './emit.ts';
import { isFields } from './keyed.ts';
import type { Fields } from './keyed.ts';
import { childOf, entryOf, equals, firstOf } from './path.ts';

const maxPoints = 10;

export const isPointList = ({ trail }: Place): boolean => {
  const own = trail.at(-1)?.concepts;
  return own !== undefined && (own.has('phone') || own.has('mobile') || own.has('email'));
};

const kinds = ['type', 'tipo', 'label', 'kind', 'categoria'];
const nameKeys = ['name', 'Name', 'nome', 'nombre', 'label', 'value'];

/** What kind of point a field says that this is: by a text, or by an object that has a name. */
function kindOf(field: string, value: unknown): { condition: string; name: string } | null {
  if (!kinds.includes(reading(field).words.at(-1) ?? '')) return null;
  const path = childOf('', field);
  if (typeof value === 'string') return { condition: equals(path, value), name: value };
  const key = isFields(value)
    ? nameKeys.find((each) => typeof value[each] === 'string')
    : undefined;
  if (key === undefined) return null;
  const name = String((value as Fields)[key]);
  return { condition: equals(childOf(path, key), name), name };
}

export function visitPoints(list: readonly unknown[], place: Place, walk: Walk): void {
  const key = place.keys.at(-1) ?? '';
  for (const point of list.slice(0, maxPoints).filter(isFields)) {
    for (const [field, value] of Object.entries(point)) {
      const isMain = value === true && /primary|main|default|principal/i.test(field);
      const kind = kindOf(field, value);
      if (!isMain && kind === null) continue;
      const condition = kind?.condition ?? equals(childOf('', field), true);
      for (const [rest, content] of Object.entries(point)) {
        if (!isScalar(content) || rest === field) continue;
        const path = entryOf(place.path, condition, childOf('', rest));
        const labels = kind === null ? [key] : [`${key} ${kind.name}`, key];
        emit(
          content,
          { ...place, path, labels, keys: [...place.keys, rest], primary: isMain },
          walk,
        );
      }
    }
  }
  const first = list[0];
  const inner = { ...place, path: firstOf(place.path), labels: [key] };
  if (isFields(first)) {
    for (const [field, value] of Object.entries(first)) {
      if (!isScalar(value)) continue;
      const path = childOf(inner.path, field);
      emit(
        value,
        { ...inner, path, keys: [...place.keys, field], listed: true, owner: inner.path },
        walk,
      );
    }
  }
}
