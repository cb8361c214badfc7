/** JSON pointers, by which the server names a place in a document: https://www.rfc-editor.org/rfc/rfc6901 */

/** A key as it stands in a pointer. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that lead to the place, the outermost first. */
export const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
