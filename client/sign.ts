/** Signs a request to a webhook as a sender does, by the signature scheme of the webhook's settings. */

type Place = { readonly header?: string; readonly query?: string; readonly field?: string };

/** A scheme in the form of `signature.scheme` of a webhook's settings. */
export type SignatureScheme = {
  readonly kind: 'hmac' | 'hash' | 'token' | 'fields';
  readonly header?: string;
  readonly from?: Place;
  readonly algorithm?: 'sha1' | 'sha256' | 'sha512';
  readonly encoding?: 'hex' | 'base64';
  readonly prefix?: string;
  readonly field?: string;
  readonly timestamp?: Place | string;
  readonly id?: Place;
  readonly signed?: string;
  readonly secretEncoding?: 'text' | 'hex' | 'base64';
  readonly secretPrefix?: string;
};

type Bytes = Uint8Array<ArrayBuffer>;
export type SignableRequest = {
  readonly body: string | Bytes;
  readonly url: string;
  readonly contentType?: string;
  /** Replaces the current time. */
  readonly now?: Date;
};

const bytesOf = (text: string | Bytes): Bytes =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;
const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64Of = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));
const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (base64: string): Bytes =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);

function keyOf(secret: string, { secretPrefix = '', secretEncoding }: SignatureScheme): Bytes {
  const bare = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  if (secretEncoding === 'hex') return fromHex(bare);
  return secretEncoding === 'base64' ? fromBase64(bare) : bytesOf(bare);
}

/** The names and values of a form, each pair once, sorted: what Twilio signs. */
function paramsOf({ body, contentType }: SignableRequest): string | undefined {
  if (!contentType?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const pairs = [...new URLSearchParams(new TextDecoder().decode(bytesOf(body)))];
  const unique = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]));
  return [...unique.values()]
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .flat()
    .join('');
}

/** Returns the headers to add. Throws for what headers cannot express: a token in the query, fields of the body, or {params} of another body than a form. */
export async function sign(
  scheme: SignatureScheme,
  secret: string,
  request: SignableRequest,
): Promise<Record<string, string>> {
  const { kind, header, from, prefix = '', algorithm = 'sha256' } = scheme;
  if (kind === 'token' && from?.header) return { [from.header]: `${prefix}${secret}` };
  const now = request.now ?? new Date();
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const id = crypto.randomUUID();
  const { body, url } = request;
  const params = paramsOf(request);
  const texts = { url, secret, timestamp, id, method: 'POST', params };
  const values: Record<string, string | Bytes | undefined> = { ...texts, body };
  const parts = (scheme.signed ?? '{body}')
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? values[part.slice(1, -1)] : part));
  if (!['hmac', 'hash'].includes(kind) || !header || parts.includes(undefined)) {
    throw new Error('This signature scheme cannot be expressed by headers.');
  }
  const signed = new Uint8Array(
    await new Blob(parts.map((part) => bytesOf(part ?? ''))).arrayBuffer(),
  );
  const digest = await digestOf(signed, { secret, scheme, hash: algorithm.replace('sha', 'SHA-') });
  const signature = `${prefix}${scheme.encoding === 'base64' ? base64Of(digest) : hexOf(digest)}`;
  const place = typeof scheme.timestamp === 'object' ? scheme.timestamp : {};
  const stamp = place.field ? `${place.field}=${timestamp},` : '';
  return {
    [header]: scheme.field ? `${stamp}${scheme.field}=${signature}` : signature,
    ...(place.header && { [place.header]: timestamp }),
    ...(scheme.id?.header && { [scheme.id.header]: id }),
  };
}

type Digesting = {
  readonly secret: string;
  readonly scheme: SignatureScheme;
  readonly hash: string;
};

async function digestOf(signed: Bytes, { secret, scheme, hash }: Digesting): Promise<Uint8Array> {
  if (scheme.kind === 'hash') return new Uint8Array(await crypto.subtle.digest(hash, signed));
  const usage = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', keyOf(secret, scheme), usage, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
}
