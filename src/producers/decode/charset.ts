/**
 * The two encodings of forms and XML. ISO-8859-1 is decoded as windows-1252, as browsers do, and by a table, because Node
 * versions differ in the characters 80 to 9F.
 */
import { isUtf8 } from 'node:buffer';

export type Charset = 'utf-8' | 'windows-1252';

const charsets: Readonly<Record<string, Charset>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
};

/** Returns null for an unsupported encoding. */
export const charsetNamed = (label: string): Charset | null =>
  charsets[label.trim().toLowerCase()] ?? null;

const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Returns the UTF-16 unit of a byte in windows-1252. */
export const windowsUnitOf = (byte: number): number =>
  byte >= 0x80 && byte <= 0x9f ? special.charCodeAt(byte - 0x80) : byte;

const fromWindows = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => special[character.charCodeAt(0) - 0x80] ?? character);

/**
 * Returns the text without its byte order mark; null when the bytes are not in the declared charset. An undeclared charset
 * is UTF-8 if the bytes allow it, and windows-1252 otherwise, in which every byte is a character.
 */
export function textOf(bytes: Buffer, declared: Charset | null): string | null {
  if (declared === 'windows-1252') return fromWindows(bytes);
  if (!isUtf8(bytes)) return declared === null ? fromWindows(bytes) : null;
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
