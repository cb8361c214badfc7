/** E-mail addresses: one spelling of each, so that it identifies the same person. */
import { withoutInvisible } from './visible-text.ts';

// RFC 5321: 64 characters before the @, 254 in all.
const address =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const maxLength = 254;
/** The characters that are not shown count too. */
const maxTextLength = 512;

/** Returns the address in lower case, or null. */
export function parseEmail(text: string): string | null {
  if (text.length > maxTextLength) return null;
  const given = withoutInvisible(text).normalize('NFC').trim();
  return given.length <= maxLength && address.test(given) ? given.toLowerCase() : null;
}

/** Returns the address as contacts have it. Text that is none is kept, because release 0.2.0 stored other forms. */
export const storedEmail = (text: string): string => parseEmail(text) ?? text.trim().toLowerCase();
