/** A sample as pasted text or file, converted to the request of the API. */
export type PastedSample =
  | { readonly body: object }
  | { readonly rawBody: string; readonly contentType: string };

/** The content type by the look of the text; null when unknown. */
function typeOf(text: string): string | null {
  if (text.startsWith('<')) return 'application/xml';
  return /^[^\s=&]+=/.test(text) ? 'application/x-www-form-urlencoded' : null;
}

/** Null: neither JSON nor XML nor form data. */
export function parsePastedSample(text: string): PastedSample | null {
  const trimmed = text.trim();
  try {
    const body: unknown = JSON.parse(trimmed);
    return typeof body === 'object' && body !== null ? { body } : null;
  } catch {
    const contentType = typeOf(trimmed);
    return contentType === null ? null : { rawBody: trimmed, contentType };
  }
}
