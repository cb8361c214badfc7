/** E-mail addresses: one spelling of each, so that it identifies the same person. */
import { undecorated, withoutInvisible } from './visible-text.ts';

// RFC 5321: 64 characters before the @, 254 in all.
const address =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const maxLength = 254;
/** The characters that are not shown count too. */
const maxTextLength = 512;

/**
 * Returns the address in lower case, or null. What surrounds it is left out where that leaves one reading: a name, a scheme, quotes,
 * a remark in brackets.
 */
export function parseEmail(text: string): string | null {
  if (text.length > maxTextLength) return null;
  const given = withoutInvisible(text).normalize('NFC').trim();
  // A spreadsheet's mark for a text is a character of an address too.
  const asGiven = given.startsWith("'") ? null : lowerAddress(given);
  return asGiven ?? lowerAddress(plainEmail(given));
}

const lowerAddress = (text: string): string | null =>
  text.length <= maxLength && address.test(text) ? text.toLowerCase() : null;

// `Ana <ana@example.com>`; in a chat `<mailto:ana@example.com|ana@example.com>`. A name with an @ may be another address.
const inAngles = /^[^<>@]*<\s*([^<>|]+?)\s*(?:\|[^<>]*)?>[;,.]?$/;
const link = /^<a\s[^<>]*>\s*([^<>]+?)\s*<\/a>$/i;
const scheme = /^mailto:(?:\/\/)?/i;
const label = /^(?:e-?mail|mail|correo|courriel|e-?post)(?: address)?\s*:\s*/i;
const remark = /\s*[([][^@()[\]]{1,40}[)\]]$/;

/** Returns the address without what surrounds it. */
function plainEmail(text: string): string {
  const bare = undecorated(text.normalize('NFKC'));
  const inner = link.exec(bare)?.[1] ?? inAngles.exec(bare)?.[1] ?? bare;
  const plain = inner.replace(label, '').replace(scheme, '').replace(remark, '');
  const whole = plain === inner ? plain : plain.replace(/\?.*$/, '');
  const decoded = whole.includes('@') ? whole : whole.replace(/%40/i, '@');
  return decoded.replace(/[;,.]$/, '').trim();
}
