/** Accepts lower case where the pattern wants upper case. */
export function matchCase(pattern: RegExp | null, text: string): string {
  const [given, capital] = [text.trim(), text.trim().toUpperCase()];
  return pattern !== null && !pattern.test(given) && pattern.test(capital) ? capital : given;
}
