/** How a text appears inside the base64 of a longer text. */

const alignments = [0, 1, 2];
const bitsOfByte = 8;
const bitsOfDigit = 6;

const minDigits = 8;

/**
 * Returns the digits that do not depend on the text before and after, for each of the three positions at which the text may
 * begin: in both alphabets, and with slashes escaped as in JSON. Returns none of a short text, whose digits any text may contain.
 */
export function base64FragmentsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const fragments = alignments.map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const begin = Math.ceil((before * bitsOfByte) / bitsOfDigit);
    const end = Math.floor(((before + bytes.length) * bitsOfByte) / bitsOfDigit);
    return digits.slice(begin, end);
  });
  const significant = fragments.filter(({ length }) => length >= minDigits);
  const spelled = significant.flatMap((fragment) => [
    fragment,
    fragment.replaceAll('+', '-').replaceAll('/', '_'),
    fragment.replaceAll('/', String.raw`\/`),
  ]);
  return [...new Set(spelled)];
}
