/**
 * What is left of a mapping document that is not of the right form: its parts in which nothing is wrong with the form, so
 * that their own problems can be told together with the others.
 */
import { parsePointer } from '../../base/json/json-pointer.ts';

const rooms: readonly string[] = ['contact', 'message', 'context'];

type Parts = Record<string, unknown>;

const partsOf = (value: unknown): Parts | null =>
  typeof value === 'object' && value !== null ? (value as Parts) : null;

/** A copy without the parts that the pointers lead into; null where the whole is wrong. */
export function stripInvalidParts(document: unknown, pointers: readonly string[]): unknown {
  const copy = partsOf(structuredClone(document));
  if (!copy || pointers.includes('')) return null;
  for (const pointer of pointers) {
    const [top = '', part, field] = parsePointer(pointer);
    const room = rooms.includes(top) && part !== undefined ? partsOf(copy[top]) : null;
    const fields = part === 'fields' && field !== undefined ? partsOf(room?.fields) : null;
    if (fields && field !== undefined) delete fields[field];
    else if (room && part !== undefined) delete room[part];
    else delete copy[top];
  }
  return copy;
}
