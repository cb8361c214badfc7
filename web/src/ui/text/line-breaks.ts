/** Line break opportunities in texts without spaces, such as addresses, paths and ids. */

/** A short email address breaks only at the `@`. */
const longestHalf = 28;

/** After a separator, and before an index. */
const joints = /(?<=[@._\-/:;,|&])(?=[^\s@._\-/:;,|&])|(?<=[^\s[])(?=\[)/u;

export function splitAtLineBreaks(text: string): string[] {
  const halves = text.split(/(?<=@)/u);
  const isShort = halves.length === 2 && halves.every((half) => half.length <= longestHalf);
  return isShort ? halves : text.split(joints);
}
