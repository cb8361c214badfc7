/** Verifies the signature of what an `http` channel sends, by https://www.standardwebhooks.com. Takes time independent of the signature. */

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type SignedRequest = {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Headers | globalThis.Headers;
};

export type VerifyOptions = {
  /** How far the time of the message may be from now. Default: 300. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
};

export type Verification =
  | { readonly ok: true; readonly id: string }
  | {
      readonly ok: false;
      readonly reason: 'missing_header' | 'unusable_secret' | 'stale_timestamp' | 'wrong_signature';
    };

const secretPrefix = 'whsec_';
const maxSignatures = 10;

/**
 * `body` is the request's body byte for byte: never parse and serialize it before. `secrets` are those of the channel: during a
 * rotation the old one and the new one.
 */
export async function verify(
  { body, headers }: SignedRequest,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<Verification> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) return { ok: false, reason: 'missing_header' };
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds)) {
    return { ok: false, reason: 'stale_timestamp' };
  }
  const signed = contentOf(`${id}.${timestamp}.`, body);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importKey(secret);
    if (!key) return { ok: false, reason: 'unusable_secret' };
    for (const one of signatures.split(' ').slice(0, maxSignatures)) {
      const bytes = one.startsWith('v1,') ? decode(one.slice(3)) : null;
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
        return { ok: true, id };
    }
  }
  return { ok: false, reason: 'wrong_signature' };
}

function headerOf(headers: Headers | globalThis.Headers, name: string): string | undefined {
  if (headers instanceof globalThis.Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function contentOf(
  prefix: string,
  body: string | Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(prefix);
  const rest = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const whole = new Uint8Array(start.length + rest.length);
  whole.set(start);
  whole.set(rest, start.length);
  return whole;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
}

async function importKey(
  secret: string,
): Promise<Awaited<ReturnType<typeof crypto.subtle.importKey>> | null> {
  const bytes = secret.startsWith(secretPrefix) ? decode(secret.slice(secretPrefix.length)) : null;
  if (!bytes || bytes.length === 0) return null;
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}
