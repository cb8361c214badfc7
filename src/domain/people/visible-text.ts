/**
 * Texts that people copy into forms: some characters are not shown, some have several encodings, and some surround a value without
 * changing it.
 */

// The soft hyphen, zero-width characters, direction marks and the byte order mark. Messengers and address books put direction
// marks around the numbers that people copy from them.
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
const otherDigit = /(?![0-9])\p{Nd}/gu;
const isDigit = /^\p{Nd}$/u;

/** Returns the text without the characters that are not shown. */
export const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** Returns the decimal digits of every script as 0 to 9. */
export const withAsciiDigits = (text: string): string =>
  text.replace(otherDigit, (digit) => String(valueOfDigit(digit.codePointAt(0) ?? 0)));

/** Unicode has the ten digits of a script in a row; at most five rows are side by side. */
function valueOfDigit(codePoint: number): number {
  let before = 0;
  while (isDigit.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}

/** What surrounds a value: a spreadsheet's marks for text, quotes, and a list of one as JSON. */
const marks: readonly RegExp[] = [
  // A list of one text as JSON.
  /^\[\s*"([^"\\]+)"\s*,?\s*\]$/,
  // A spreadsheet's formula for a text, and its mark for one.
  /^=\s*"([^"]*)"$/,
  /^'([^']*)'?$/,
  /^"([^"]*)"$/,
  /^\u201c([^\u201c\u201d]*)\u201d$/,
  /^`([^`]*)`$/,
];

/** Returns the text without what surrounds it. */
export function undecorated(text: string): string {
  let bare = text.trim();
  // A list in quotes has two.
  for (let round = 0; round < 2; round += 1) {
    const inner = marks.map((mark) => mark.exec(bare)?.[1]).find((each) => each !== undefined);
    if (inner === undefined) break;
    bare = inner.trim();
  }
  return bare;
}
