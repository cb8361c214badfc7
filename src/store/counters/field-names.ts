/** Encodes external names as field names of a document, which must not contain a dot, a dollar sign or NUL. */

/** The colon prefix prevents a special meaning of names such as `__proto__` in JavaScript. */
export const encodeFieldName = (name: string): string =>
  `:${name.toWellFormed().replaceAll(/[%.$\0]/g, (sign) => escapes[sign] ?? '')}`;

export const decodeFieldName = (key: string): string =>
  key.slice(1).replaceAll(/%(?:25|2E|24|00)/g, (code) => signs[code] ?? '');

const escapes: Readonly<Record<string, string>> = {
  '%': '%25',
  '.': '%2E',
  $: '%24',
  '\0': '%00',
};
const signs = Object.fromEntries(Object.entries(escapes).map(([sign, code]) => [code, sign]));
