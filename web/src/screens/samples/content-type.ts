/** Guesses the content type of a text. The server validates it. */

/** JSON unless it looks like something else. */
export function contentTypeOf(text: string): string {
  const start = text.trimStart();
  if (start.startsWith('<')) return 'application/xml';
  if (!/^[[{"]/.test(start) && /^[^\s=&]+=[^\n]*$/.test(start.trimEnd())) {
    return 'application/x-www-form-urlencoded';
  }
  return 'application/json';
}

const byEnding: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

export function contentTypeOfFile({ name, type }: File): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return byEnding[ending] ?? (type === '' ? 'application/json' : type);
}
