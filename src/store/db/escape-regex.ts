/**
 * Escapes text for a regular expression of MongoDB, so that every character matches itself. NUL is written as `\x00`, because
 * MongoDB rejects an expression that contains it.
 */
export const escapeRegex = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replaceAll('\0', '\\x00');
