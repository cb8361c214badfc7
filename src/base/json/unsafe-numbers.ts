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
