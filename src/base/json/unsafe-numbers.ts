// A string, or a number: strings are matched only to be stepped over. Linear on valid JSON (no alternative can
// match what another has left), which is why the text must have been parsed before.
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Puts quotes around the numbers of a valid JSON text that JavaScript cannot hold: integers beyond 2^53, which keep
 * all their digits that way, and numbers that would become infinite.
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
