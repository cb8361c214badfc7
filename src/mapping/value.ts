import type { Scalar } from '../domain/mappings/mapping.ts';

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Whether a value is null, undefined, '', blanks, [] or {}. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value === '' || value.trim() === '';
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}

// Listing the keys of an object with 50,000 takes milliseconds, and every transform asks. Payloads never change.
const knownObjects = new WeakMap<object, boolean>();

function isEmptyObject(value: object): boolean {
  const known = knownObjects.get(value);
  if (known !== undefined) return known;
  const result = Object.keys(value).length === 0;
  knownObjects.set(value, result);
  return result;
}

/**
 * Returns the nodes and characters of a value as a tree, or null when they are more than `limit`. An expression can repeat a
 * part many times (each `[@, @] |` doubles it), so a result is measured before it is written as JSON.
 */
export function sizeWithin(value: unknown, limit: number): number | null {
  let size = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0 && size <= limit) {
    const next = stack.pop();
    size += typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null) continue;
    const entries = Object.entries(next);
    size += entries.length;
    if (size > limit) return null;
    for (const [key, inner] of entries) {
      size += Array.isArray(next) ? 0 : key.length;
      stack.push(inner);
    }
  }
  return size <= limit ? size : null;
}

export const isWithinSize = (value: unknown, limit: number): boolean =>
  sizeWithin(value, limit) !== null;

/** Cuts a text to a length in UTF-16 units, without cutting a surrogate pair in two. */
export function truncateText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Returns the text of a scalar; null for lists, objects, null and numbers that are not finite. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}
