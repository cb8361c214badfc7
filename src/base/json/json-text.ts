/** JSON as a text. */
import { isUtf8 } from 'node:buffer';

// Matches a string or a number; strings are matched only to be skipped. Linear on valid JSON, because the
// alternatives do not overlap. Parse the text first.
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Quotes the numbers of a valid JSON text that JavaScript cannot represent: integers beyond 2^53, which keep
 * all their digits, and numbers that would become infinite.
 */
export function quoteUnsafeNumbers(json: string): string {
  return json.replace(stringOrNumber, (token) => (isUnsafe(token) ? `"${token}"` : token));
}

function isUnsafe(token: string): boolean {
  if (token.startsWith('"')) return false;
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  return !/[.eE]/.test(token) && !Number.isSafeInteger(value);
}

// A message queue or a cloud writes JSON so, in both alphabets. That of an object or a list is never a word of a language: it
// begins with `ey`, `ew`, `W` or a blank.
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
