/**
 * How JSON, forms and XML escape a character of a path key (- 0-9 A-Z _ a-z), so that a repeated key is found in any of them.
 * Works on bytes in one pass: a megabyte of escapes takes a few milliseconds, and 100 by replacement.
 */

type Escape = {
  /** A body without this text has no such escape. */
  readonly marker: string;
  /**
   * Reads the escape whose first byte is at this position. Returns its character and length, or that it is another escape,
   * which could hide one and stays as it is; null where there is none.
   */
  readonly readAt: (body: Buffer, at: number) => Found | null;
};

/** `byte` is -1 for bytes that stay. */
type Found = { readonly byte: number; readonly length: number };

const [percent, ampersand, backslash] = [0x25, 0x26, 0x5c];
const [hash, semicolon, zero, letterU, letterX] = [0x23, 0x3b, 0x30, 0x75, 0x78];
const maxZeros = 6;

const isKeyByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x5f;

const noHex = 256;

/** The escapes of each byte and of `noHex`, which are created once, because a body may have a million. */
const found = (length: number): readonly (Found | null)[] =>
  Array.from({ length: noHex + 1 }, (_, byte) => (isKeyByte(byte) ? { byte, length } : null));

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Returns `noHex` when the two bytes are no hexadecimal digits. */
function hexAt(body: Buffer, at: number): number {
  const byte = (digitOf(body[at]) << 4) | digitOf(body[at + 1]);
  return byte < 0 ? noHex : byte;
}

const byPercent = found(3);
const byUnicode = found(6);
/** A backslash and the byte behind it. */
const otherPair: Found = { byte: -1, length: 2 };

function readUnicode(body: Buffer, at: number): Found | null {
  if (body[at] !== backslash) return null;
  const isUnicode = body[at + 1] === letterU && body[at + 2] === zero && body[at + 3] === zero;
  return (isUnicode && byUnicode[hexAt(body, at + 4)]) || otherPair;
}

function readReference(body: Buffer, at: number, base: 10 | 16): Found | null {
  if (body[at] !== ampersand || body[at + 1] !== hash) return null;
  let end = at + 2;
  if (base === 16 && body[end++] !== letterX) return null;
  for (let zeros = 0; zeros < maxZeros && body[end] === zero; zeros += 1) end += 1;
  let byte = 0;
  for (let digits = 0; digits < 3 && body[end] !== semicolon; digits += 1, end += 1) {
    const digit = digitOf(body[end]);
    if (digit < 0 || digit >= base) return null;
    byte = byte * base + digit;
  }
  if (body[end] !== semicolon || !isKeyByte(byte)) return null;
  return { byte, length: end + 1 - at };
}

export const escapes: readonly Escape[] = [
  { marker: '\\u00', readAt: readUnicode },
  {
    marker: '%',
    readAt: (body, at) => (body[at] === percent && byPercent[hexAt(body, at + 1)]) || null,
  },
  { marker: '&#x', readAt: (body, at) => readReference(body, at, 16) },
  { marker: '&#', readAt: (body, at) => readReference(body, at, 10) },
];

/** Returns the body with each such escape replaced by its character. */
export function unescaped(body: Buffer, { readAt }: Escape): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (let i = 0; i < body.length;) {
    const escape = readAt(body, i);
    if (!escape || escape.byte < 0) {
      const stays = escape?.length ?? 1;
      for (let n = 0; n < stays && i < body.length; n += 1) out[length++] = body[i++] ?? 0;
      continue;
    }
    out[length++] = escape.byte;
    i += escape.length;
  }
  return out.subarray(0, length);
}
