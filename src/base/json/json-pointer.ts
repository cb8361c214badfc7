/** JSON pointers: https://www.rfc-editor.org/rfc/rfc6901 */

/** Escapes a key for use in a pointer. */
export const escapePointerKey = (key: string): string =>
  key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the unescaped keys of a pointer, outermost first. */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
