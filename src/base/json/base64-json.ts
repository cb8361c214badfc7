/** JSON that a message queue or a cloud puts into a text as base64. */
import { isUtf8 } from 'node:buffer';

// Both alphabets. JSON of an object or a list is never a word of a language: it begins with `ey`, `ew`, `W` or a blank.
const base64 = /^[\w+/-]{8,}={0,2}$/;
const start = /^\s*[[{]/;

/** Returns the JSON of an object or a list that is written in base64; null for any other text. */
export function jsonInBase64(text: string): string | null {
  const given = text.trim();
  if (!base64.test(given)) return null;
  if (!start.test(Buffer.from(given.slice(0, 16), 'base64').toString('latin1'))) return null;
  const bytes = Buffer.from(given, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}
