/**
 * External ids: the spellings of one id that senders are known to use.
 *
 * Promises: two spellings have a key in common, and two ids never have. The given spelling is the first key, so that contacts of earlier
 * releases are found.
 */

/** Returns the keys of the id, that of the given spelling first; none for an empty id. */
export function externalIdKeys(id: string): readonly string[] {
  if (id === '') return [];
  const other = otherSpelling(id);
  return other === null || other === id ? [id] : [id, other];
}

const otherSpelling = (id: string): string | null => salesforceId(id) ?? guid(id) ?? shopifyId(id);

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/**
 * Salesforce has ids of 15 characters, and of 18 for programs that ignore case: the last three say which of the others are upper case.
 * https://help.salesforce.com/s/articleView?id=000385585
 */
function salesforceId(id: string): string | null {
  const [, short, suffix] = /^([A-Za-z\d]{15})([A-Z0-5]{3})$/.exec(id) ?? [];
  return short !== undefined && suffix === suffixOf(short) ? short : null;
}

const suffixOf = (short: string): string =>
  [0, 5, 10].map((from) => characters[upperCaseBits(short.slice(from, from + 5))]).join('');

const upperCaseBits = (text: string): number =>
  Array.from(text).reduce((bits, letter, i) => bits + (/[A-Z]/.test(letter) ? 2 ** i : 0), 0);

/** A GUID has the same 32 digits in either case, with or without its hyphens and braces. */
function guid(id: string): string | null {
  const parts =
    /^\{?([\da-f]{8})(-?)([\da-f]{4})\2([\da-f]{4})\2([\da-f]{4})\2([\da-f]{12})\}?$/i.exec(id);
  if (parts === null) return null;
  const [, first = '', , ...rest] = parts;
  return [first, ...rest].join('-').toLowerCase();
}

/** Shopify's REST interface has the number that ends the id of its GraphQL interface. */
const shopifyId = (id: string): string | null =>
  /^gid:\/\/shopify\/Customer\/(\d+)$/.exec(id)?.[1] ?? null;
