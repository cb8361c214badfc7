/** Reads the `Content-Disposition` of a part of a form. Multipasta reads it only if it has no character beyond Latin-1. */

type Part = { readonly headers: Readonly<Record<string, string | readonly string[]>> };

const parameterShape = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

/** Both are null where the part has none; without a file name it is no file. */
export function partNamesOf({ headers }: Part) {
  const [header = ''] = [headers['content-disposition']].flat();
  const parameters = new Map<string, string>();
  for (const [, key = '', quoted, plain = ''] of header.matchAll(parameterShape)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain;
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), value);
  }
  const extended = decodeExtended(parameters.get('filename*'));
  return {
    name: unescape(parameters.get('name')),
    fileName: extended ?? unescape(parameters.get('filename')),
  };
}

/** Browsers percent-encode quotes and line breaks. */
const unescape = (text: string | undefined): string | null =>
  text?.replaceAll('%22', '"').replaceAll('%0D%0A', '\n') ?? null;

/** Decodes a value of RFC 8187, such as `UTF-8''%E2%80%93.pdf`. Returns null for any other. */
function decodeExtended(text: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? '')?.[1];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

export const isFilePart = (part: Part & { readonly contentType: string }): boolean =>
  partNamesOf(part).fileName !== null || part.contentType === 'application/octet-stream';
