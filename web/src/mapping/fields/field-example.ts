/** The value of a field as one short line. */
import type { FieldNode } from './merge-payloads.ts';

const maxShown = 160;

/** Null for objects, lists of objects and empty values. */
function oneLine(value: unknown): string | null {
  if (typeof value === 'string') {
    const text = value
      .slice(0, maxShown * 2)
      .replaceAll(/\s+/g, ' ')
      .trim();
    return text === '' ? null : text.slice(0, maxShown);
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    const texts = value.slice(0, 20).map(oneLine);
    return texts.length > 0 && texts.every((text) => text !== null)
      ? texts.join(', ').slice(0, maxShown)
      : null;
  }
  return null;
}

/** From the shown payload; else from another one, with `isHere` false. */
export function exampleOf(
  { values }: Pick<FieldNode, 'values'>,
  shown: number,
): { readonly text: string | null; readonly isHere: boolean } {
  const here = oneLine(values[shown]);
  if (here !== null) return { text: here, isHere: true };
  for (const value of values) {
    const text = oneLine(value);
    if (text !== null) return { text, isHere: false };
  }
  return { text: null, isHere: false };
}
