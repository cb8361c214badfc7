import { maxDepth } from './bounds.ts';
import { decodeJson } from './json.ts';

/** Where the decoded form of texts that are JSON stands. An underscore, so that paths need no quotes. */
export const embeddedKey = '_json';

/**
 * Adds what the fields that hold JSON say, by field name: `payload={"a":1}` is also `_json.payload.a`. The texts stay.
 * A field that is no JSON within the bounds is only a text.
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
