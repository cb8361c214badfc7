// Characters without a width that are copied along: zero-width spaces and joiners, marks of direction, a byte order mark.
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060\uFEFF]/g;

/**
 * Returns a secret without what a copy adds: line breaks, blanks around it and characters without a width. No sender signs with
 * them, so with them every request would be rejected.
 */
export const cleanSecret = (pasted: string): string =>
  pasted
    .replaceAll(/[\r\n\u2028\u2029]+/g, '')
    .replaceAll(invisible, '')
    .trim();

/** Cleans each text of a secret that has several parts, such as the headers of a destination. */
export function cleanSecrets(value: unknown): unknown {
  if (typeof value === 'string') return cleanSecret(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanSecrets);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cleanSecrets(part)]),
  );
}
