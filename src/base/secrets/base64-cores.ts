/** How a text appears inside the base64 of a longer text. */

const alignments = [0, 1, 2];
const bitsOfByte = 8;
const bitsOfDigit = 6;

const minDigits = 8;

/**
 * Returns the digits that do not depend on the text before and after, for each of the three positions at which the text may
 * begin: in both alphabets, and with slashes escaped as in JSON. Returns none of a short text, whose digits any text may contain.
 */
export function base64CoresOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const cores = alignments.map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const begin = Math.ceil((before * bitsOfByte) / bitsOfDigit);
    const end = Math.floor(((before + bytes.length) * bitsOfByte) / bitsOfDigit);
    return digits.slice(begin, end);
  });
  const telling = cores.filter(({ length }) => length >= minDigits);
  const spelled = telling.flatMap((core) => [
    core,
    core.replaceAll('+', '-').replaceAll('/', '_'),
    core.replaceAll('/', String.raw`\/`),
  ]);
  return [...new Set(spelled)];
}
