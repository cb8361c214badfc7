/** Telephones and addresses of one person: the main one, then by their kinds, then the first. */
import { isScalar } from '../value.ts';
import { readName as reading } from './concepts.ts';
import { emit } from './emit.ts';
import type { Place, Walk } from './emit.ts';
import { isFields } from './keyed.ts';
import { childOf, entryOf, equals, firstOf } from './path.ts';

const maxPoints = 10;

export const isPointList = ({ trail }: Place): boolean => {
  const own = trail.at(-1)?.concepts;
  return own !== undefined && (own.has('phone') || own.has('mobile') || own.has('email'));
};

const kinds = ['type', 'tipo', 'label', 'kind', 'categoria'];

export function visitPoints(list: readonly unknown[], place: Place, walk: Walk): void {
  const key = place.keys.at(-1) ?? '';
  for (const point of list.slice(0, maxPoints).filter(isFields)) {
    for (const [field, value] of Object.entries(point)) {
      const isMain = value === true && /primary|main|default|principal/i.test(field);
      const isKind = typeof value === 'string' && kinds.includes(reading(field).words.at(-1) ?? '');
      if (!isMain && !isKind) continue;
      const condition = equals(childOf('', field), value);
      for (const [rest, content] of Object.entries(point)) {
        if (!isScalar(content) || rest === field) continue;
        const path = entryOf(place.path, condition, childOf('', rest));
        const labels = isKind ? [`${key} ${value}`, key] : [key];
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
