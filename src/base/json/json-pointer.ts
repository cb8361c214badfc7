/** JSON pointers, which name a place in a document: https://www.rfc-editor.org/rfc/rfc6901 */

/** A key as it stands in a pointer. */
export const escapePointerKey = (key: string): string =>
  key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that lead to the place, the outermost first. */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
