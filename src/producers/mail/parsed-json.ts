import { decodeJson } from '../decode/json.ts';

/** Levels of the JSON in a field: a list of pairs, or an object of lists. */
const maxDepth = 8;

/** Returns the value of a field that is JSON; null for any other. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return null;
  const decoded = decodeJson(Buffer.from(value), maxDepth);
  return decoded.ok ? decoded.value : null;
}
