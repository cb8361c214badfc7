/**
 * Removes the parts of a mapping document that do not fit the schema, so that the problems inside the valid parts can be
 * listed together with the problems of form.
 */
import { parsePointer } from '../../base/json/json-pointer.ts';

const sections: readonly string[] = ['contact', 'message', 'context'];

type Parts = Record<string, unknown>;

const partsOf = (value: unknown): Parts | null =>
  typeof value === 'object' && value !== null ? (value as Parts) : null;

/** Returns a copy without the parts that the JSON pointers lead into; null when a pointer leads to the whole. */
export function stripInvalidParts(document: unknown, pointers: readonly string[]): unknown {
  const copy = partsOf(structuredClone(document));
  if (!copy || pointers.includes('')) return null;
  for (const pointer of pointers) {
    const [top = '', part, field] = parsePointer(pointer);
    const section = sections.includes(top) && part !== undefined ? partsOf(copy[top]) : null;
    const fields = part === 'fields' && field !== undefined ? partsOf(section?.fields) : null;
    if (fields && field !== undefined) delete fields[field];
    else if (section && part !== undefined) delete section[part];
    else delete copy[top];
  }
  return copy;
}
