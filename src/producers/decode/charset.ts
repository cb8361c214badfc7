/**
 * Character sets of bodies and of their parts. UTF-8 and windows-1252 are read here; all others by the decoders of the Encoding
 * Standard (https://encoding.spec.whatwg.org) or, where that has none, by iconv-lite. ISO-8859-1 is decoded as windows-1252, as
 * browsers do, and by a table, because Node versions differ in the characters 80 to 9F.
 *
 * Promises: bytes that are not in their declared set never become other letters.
 */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { LRUCache } from 'lru-cache';

/** The canonical name of a supported set. */
export type Charset = string;

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

/** Names of iconv-lite that are no character sets. */
const notCharsets = /^(?:base64|binary|hex|internal)/;
const maxLabelLength = 40;

/** Returns null for an unsupported set. */
export function charsetNamed(label: string): Charset | null {
  const name = label.trim().toLowerCase();
  const known = charsets[name];
  if (known !== undefined) return known;
  if (name === '' || name.length > maxLabelLength || notCharsets.test(name)) return null;
  try {
    const { encoding } = new TextDecoder(name);
    return charsets[encoding] ?? encoding;
  } catch {
    return iconv.encodingExists(name) ? name : null;
  }
}

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
  if (declared !== null && declared !== 'utf-8') return decoded(bytes, declared);
  if (!isUtf8(bytes)) return declared === null ? fromWindows(bytes) : null;
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

type Decode = (bytes: Buffer) => string | null;

/** A form decodes each of its texts by itself, and a new decoder costs 5 µs. */
const decoders = new LRUCache<Charset, Decode>({ max: 100 });

function decoded(bytes: Buffer, charset: Charset): string | null {
  const decode = decoders.get(charset) ?? createDecode(charset);
  const text = decode(bytes);
  // A decoder that failed may keep the bytes before the error.
  if (text === null) decoders.delete(charset);
  else decoders.set(charset, decode);
  return text;
}

function createDecode(charset: Charset): Decode {
  const standard = standardDecoder(charset);
  if (standard === null) {
    return (bytes) => {
      const text = iconv.decode(bytes, charset);
      return text.includes('\uFFFD') ? null : text;
    };
  }
  return (bytes) => {
    try {
      return standard.decode(bytes);
    } catch {
      return null;
    }
  };
}

/** Returns null for a name that the standard does not have. */
function standardDecoder(charset: Charset) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return null;
  }
}

/** The text of a part whose declared set is unknown or wrong: its ASCII characters, and U+FFFD for each other byte. */
export const unreadableText = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\xff]/g, '\uFFFD');
