import { noOptions, type Transform } from './transform.ts';

const particles = new Set('da das de del della di do dos du e el la las los y'.split(' '));
const words = /[\p{L}\p{M}\p{N}]+/gu;
const roman = /^(?:i{2,3}|iv|vi{1,3}|ix|xi{1,3}|xiv|xv|xvi)$/;
const apostrophes = "'’´`";

export const title: Transform = {
  name: 'title',
  doc: 'Capitalises a name, with Portuguese and Spanish particles (de, da, dos, e, del, la, y, …) in lower case. A word with a capital inside (McDonald, DeVito) is not changed.',
  examples: [
    { from: 'MARIA DAS DORES E SILVA', to: 'Maria das Dores e Silva' },
    { from: 'ana-luiza d’ávila o’brien', to: 'Ana-Luiza D’Ávila O’Brien' },
    { from: 'RONALD MCDONALD', to: 'Ronald McDonald' },
    { from: 'joão paulo ii', to: 'João Paulo II' },
  ],
  options: noOptions,
  workOf: (length) => 40 + 2 * length,
  apply: (value) => {
    const text = String(value).trim();
    return { value: text.replace(words, (word, at: number) => writeWord(word, at, text)) };
  },
};

function writeWord(word: string, at: number, text: string): string {
  if (/\p{Ll}\p{M}*\p{Lu}/u.test(word)) return word;
  const small = word.toLowerCase();
  const before = text.charAt(at - 1);
  const after = text.charAt(at + word.length);
  const isInside = /\s/.test(before);
  if (isInside && /\s/.test(after) && particles.has(small)) return small;
  if (isInside && roman.test(small)) return small.toUpperCase();
  // A word after an apostrophe is a name (O'Brien), a single letter is an ending (Joana's).
  if (before !== '' && apostrophes.includes(before) && small.length === 1) return small;
  return small.startsWith('mc') && small.length > 4
    ? `Mc${capitalise(small.slice(2))}`
    : capitalise(small);
}

function capitalise(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return first.toUpperCase() + text.slice(first.length);
}
