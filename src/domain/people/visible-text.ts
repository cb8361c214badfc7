/** Characters of texts that people copy into forms: some are not shown, and some have several encodings. */

// The soft hyphen, zero-width characters, direction marks and the byte order mark. Messengers and address books put direction
// marks around the numbers that people copy from them.
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
const arabicDigit = /[\u0660-\u0669\u06F0-\u06F9]/g;

/** Returns the text without the characters that are not shown. */
export const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** Returns Arabic and Persian digits as 0 to 9. */
export const withAsciiDigits = (text: string): string =>
  text.replace(arabicDigit, (digit) => String(digit.charCodeAt(0) & 0xf));
