/** Random choices that depend on a text alone. */

export interface Random {
  /** Returns an integer from 0 up to, and not, the limit. */
  below: (limit: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** Returns characters of an alphabet. */
  text: (length: number, alphabet: string) => string;
}

/** FNV-1a. */
export function hashOf(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text)
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}

/** Mulberry32. */
export function randomOf(seed: string): Random {
  let state = hashOf(seed);
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const text = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  return { below, pick, text };
}
