/**
 * Text from people inside a regular expression of the database: every sign stands for itself. A NUL is spelled, for the
 * database refuses an expression that holds one.
 */
export const escapeRegex = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replaceAll('\0', '\\x00');
