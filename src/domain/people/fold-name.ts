/** Names as people look for them: whatever the case, the accents and the spaces. */

/** What two spellings of one name have in common; kept beside a name so that an index can find it. */
export const foldName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/g, ' ');

/** The words of a search, folded; a name is found that has each of them somewhere. */
export const foldedWords = (search: string): readonly string[] =>
  [...new Set(foldName(search).split(' '))].filter((word) => word !== '');
