import { isUtf8 } from 'node:buffer';
import { textOf, type Charset } from '../../../src/producers/decode/charset.ts';
import { percentDecoded } from '../../../src/producers/decode/percent-encoding.ts';

/** Replaces each run of escapes. Slow, and simple enough to be right. */
function byReplacement(encoded: string, charset: Charset | null): string {
  return encoded.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    const isWindows = charset === 'windows-1252' || !isUtf8(bytes);
    return textOf(bytes, isWindows ? 'windows-1252' : 'utf-8') ?? run;
  });
}

const escaped = '%41 %20 %C3%A9 %e9 %80 %9f %F0%9F%98%80 %EF%BB%BF %00 %2B % %% %4 %zz %c3'.split(
  ' ',
);
const pieces = [...escaped, '+', 'a', 'é', '😀', '\ud800', '=', ' '];

test('escapes are decoded as by replacement, in any order', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let n = 0; n < 5_000; n += 1) {
    const text = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join('');
    for (const charset of [null, 'utf-8', 'windows-1252'] as const) {
      expect([text, percentDecoded(text, charset)]).toEqual([text, byReplacement(text, charset)]);
    }
  }
});
