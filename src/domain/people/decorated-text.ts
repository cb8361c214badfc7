/** What surrounds a value without changing it: a spreadsheet's marks for text, quotes, and a list of one as JSON. */

const marks: readonly RegExp[] = [
  // A list of one text as JSON.
  /^\[\s*"([^"\\]+)"\s*,?\s*\]$/,
  // A spreadsheet's formula for a text, and its mark for one.
  /^=\s*"([^"]*)"$/,
  /^'([^']*)'?$/,
  /^"([^"]*)"$/,
  /^\u201c([^\u201c\u201d]*)\u201d$/,
  /^`([^`]*)`$/,
];

/** Returns the text without what surrounds it. */
export function undecorated(text: string): string {
  let bare = text.trim();
  // A list in quotes has two.
  for (let round = 0; round < 2; round += 1) {
    const inner = marks.map((mark) => mark.exec(bare)?.[1]).find((each) => each !== undefined);
    if (inner === undefined) break;
    bare = inner.trim();
  }
  return bare;
}
