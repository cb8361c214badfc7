/** Parses the header block of a mail. */

const maxBlock = 131_072;

/** Continued lines are joined to their header. */
export function headersIn(block: string): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of block.slice(0, maxBlock).split(/\r?\n/)) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last[1] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon > 0) headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
  return headers;
}
