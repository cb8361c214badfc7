export type SignedRequest = {
  readonly method: string;
  /** As the sender called it: scheme, host, path and query. Only some schemes sign it. */
  readonly url?: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body as it was sent, before the key is redacted. */
  readonly rawBody: Buffer;
};

const maxHeaderLength = 8_192;

/** Returns null for a header that is absent, empty or longer than any signature. */
export function headerOf({ headers }: Pick<SignedRequest, 'headers'>, name: string): string | null {
  const value = headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined || text === '' || text.length > maxHeaderLength ? null : text;
}
