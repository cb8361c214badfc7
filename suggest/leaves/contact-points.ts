/** Lists of phone numbers or e-mail addresses: the main one, one for each kind, and the first. */
import { isJsonObject, type JsonObject } from '../../src/base/json/json-values.ts';
import { isScalar } from '../../src/mapping/value.ts';
import { readName, hasConcept } from '../names/concepts.ts';
import { addLeaf, type WalkPosition, type PayloadWalk } from './add-leaf.ts';
import { childPath, entryPath, equalsCondition, firstElementPath } from './jmespath.ts';

const maxPoints = 10;

export const isContactPointList = ({ trail }: WalkPosition): boolean =>
  hasConcept(trail.at(-1), 'phone', 'mobile', 'email');

const kinds = ['type', 'tipo', 'label', 'kind', 'categoria'];
const nameKeys = ['name', 'Name', 'nome', 'nombre', 'label', 'value'];

/** Returns the kind of contact point that a field names, by a text or by an object with a name. */
function kindOf(field: string, value: unknown): { condition: string; name: string } | null {
  if (!kinds.includes(readName(field).words.at(-1) ?? '')) return null;
  const path = childPath('', field);
  if (typeof value === 'string') return { condition: equalsCondition(path, value), name: value };
  const key = isJsonObject(value)
    ? nameKeys.find((each) => typeof value[each] === 'string')
    : undefined;
  if (key === undefined) return null;
  const name = String((value as JsonObject)[key]);
  return { condition: equalsCondition(childPath(path, key), name), name };
}

export function visitContactPoints(
  list: readonly unknown[],
  position: WalkPosition,
  walk: PayloadWalk,
): void {
  const key = position.keys.at(-1) ?? '';
  for (const point of list.slice(0, maxPoints).filter(isJsonObject)) {
    for (const [field, value] of Object.entries(point)) {
      const isMain = value === true && /primary|main|default|principal/i.test(field);
      const kind = kindOf(field, value);
      if (!isMain && kind === null) continue;
      const condition = kind?.condition ?? equalsCondition(childPath('', field), true);
      for (const [rest, content] of Object.entries(point)) {
        if (!isScalar(content) || rest === field) continue;
        const path = entryPath(position.path, condition, childPath('', rest));
        const labels = kind === null ? [key] : [`${key} ${kind.name}`, key];
        addLeaf(
          content,
          { ...position, path, labels, keys: [...position.keys, rest], primary: isMain },
          walk,
        );
      }
    }
  }
  const first = list[0];
  const inner = { ...position, path: firstElementPath(position.path), labels: [key] };
  if (isJsonObject(first)) {
    for (const [field, value] of Object.entries(first)) {
      if (!isScalar(value)) continue;
      const path = childPath(inner.path, field);
      addLeaf(
        value,
        { ...inner, path, keys: [...position.keys, field], listed: true, owner: inner.path },
        walk,
      );
    }
  }
}
