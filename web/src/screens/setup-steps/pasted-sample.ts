/** A sample as a person pastes it or has it in a file: what the API takes of it. */
export type PastedSample =
  { readonly body: object } | { readonly rawBody: string; readonly contentType: string };

/** By how it looks; null where it is none of what can be read. */
function typeOf(text: string): string | null {
  if (text.startsWith('<')) return 'application/xml';
  return /^[^\s=&]+=/.test(text) ? 'application/x-www-form-urlencoded' : null;
}

/** Null: neither JSON nor XML nor the fields of a form. */
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
