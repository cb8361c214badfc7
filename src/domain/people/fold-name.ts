/** Folding of names for search, independent of case, accents and spaces. */

/** Returns the folded name. It is stored beside the name for an index. */
export const foldName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/g, ' ');

/** Returns the distinct folded words of a search. A name matches if it contains each of them. */
export const foldedWords = (search: string): readonly string[] =>
  [...new Set(foldName(search).split(' '))].filter((word) => word !== '');
