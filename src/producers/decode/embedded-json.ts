import { maxDepth } from './bounds.ts';
import { decodeJson } from './json.ts';

/** The key of the decoded values. It starts with an underscore, because paths then need no quotes. */
const embeddedKey = '_json';

/**
 * Returns the fields with the decoded values of those that contain JSON: `payload={"a":1}` is also `_json.payload.a`. The
 * texts stay. A field with JSON beyond the bounds stays a text only.
 */
export function withEmbeddedJson(fields: Record<string, unknown>): Record<string, unknown> {
  const embedded: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) continue;
    const decoded = decodeJson(Buffer.from(value), maxDepth - 2);
    if (decoded.ok) embedded[name] = decoded.value;
  }
  if (Object.keys(embedded).length === 0 || embeddedKey in fields) return fields;
  return Object.assign(Object.create(null), fields, { [embeddedKey]: embedded });
}
