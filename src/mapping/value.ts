import type { Scalar } from '../domain/mappings/mapping.ts';

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Whether a value is null, undefined, '', blanks, [] or {}. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value === '' || value.trim() === '';
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/**
 * Whether a value has at most `limit` nodes and characters. An expression can repeat a part many times (each `[@, @] |`
 * doubles it), so a result is checked before it is written as JSON.
 */
export function isWithinSize(value: unknown, limit: number): boolean {
  let left = limit;
  const stack: unknown[] = [value];
  while (stack.length > 0 && left >= 0) {
    const next = stack.pop();
    left -= typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null) continue;
    const entries = Object.entries(next);
    left -= entries.length;
    if (left < 0) return false;
    for (const [key, inner] of entries) {
      left -= Array.isArray(next) ? 0 : key.length;
      stack.push(inner);
    }
  }
  return left >= 0;
}

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
