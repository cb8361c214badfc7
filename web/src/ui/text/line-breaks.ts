/** Where a text without spaces, such as an address, a path or an id, may go on in the next line. */

/** A short address is broken at its sign alone. */
const longestHalf = 28;

/** Behind what joins two parts, and before an index. */
const joints = /(?<=[@._\-/:;,|&])(?=[^\s@._\-/:;,|&])|(?<=[^\s[])(?=\[)/u;

export function splitAtLineBreaks(text: string): string[] {
  const halves = text.split(/(?<=@)/u);
  const isShort = halves.length === 2 && halves.every((half) => half.length <= longestHalf);
  return isShort ? halves : text.split(joints);
}
