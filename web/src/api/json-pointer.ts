/** JSON pointers, with which the server locates values in a document: https://www.rfc-editor.org/rfc/rfc6901 */

/** Escapes one key for use in a pointer. */
export const escapePointerKey = (key: string): string =>
  key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys of a pointer, outermost first. */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
