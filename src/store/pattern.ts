/** Text from people inside a regular expression of the database: every sign stands for itself. */
export const escapeRegex = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
