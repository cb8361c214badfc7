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
  readonly separator?: string;
  readonly timestamp?: Place | string;
  readonly id?: Place;
  readonly signed?: string;
  readonly secretEncoding?: 'text' | 'hex' | 'base64';
  readonly secretPrefix?: string;
  /** Of the kind `fields`: the fields of the body with the signature, and with the token that is signed with the time. */
  readonly signature?: string;
  readonly token?: string;
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

type Made = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
};

/** What the scheme adds to the request, by place. */
async function signatureOf(
  scheme: SignatureScheme,
  secret: string,
  request: SignableRequest,
): Promise<Made> {
  const { kind, from = {}, prefix = '' } = scheme;
  const token = `${prefix}${secret}`;
  if (kind === 'token' && from.header) return { headers: { [from.header]: token } };
  if (kind === 'token' && from.query) return { query: { [from.query]: token } };
  if (kind === 'token' && from.field) return { fields: { [from.field]: token } };
  const now = request.now ?? new Date();
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const id = crypto.randomUUID();
  const isOfFields = kind === 'fields';
  const { body, url } = request;
  const texts = { url, secret, timestamp, id, method: 'POST', params: paramsOf(request) };
  const values: Record<string, string | Bytes | undefined> = { ...texts, body };
  const parts = (isOfFields ? '{timestamp}{id}' : (scheme.signed ?? '{body}'))
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? values[part.slice(1, -1)] : part));
  if (kind === 'token' || parts.includes(undefined)) {
    throw new Error('This signature scheme does not fit the body.');
  }
  const signed = new Uint8Array(
    await new Blob(parts.map((part) => bytesOf(part ?? ''))).arrayBuffer(),
  );
  const digest = await digestOf(signed, secret, scheme);
  const signature = `${prefix}${scheme.encoding === 'base64' ? base64Of(digest) : hexOf(digest)}`;
  const place = scheme.timestamp ?? {};
  if (typeof place === 'string') {
    const { signature: name = '', token: nonce = '' } = scheme;
    return { fields: { [place]: timestamp, [nonce]: id, [name]: signature } };
  }
  const stamp = place.field ? `${place.field}=${timestamp}${scheme.separator ?? ','}` : '';
  return {
    headers: {
      [scheme.header ?? '']: scheme.field ? `${stamp}${scheme.field}=${signature}` : signature,
      ...(place.header && { [place.header]: timestamp }),
      ...(scheme.id?.header && { [scheme.id.header]: id }),
    },
  };
}

async function digestOf(
  signed: Bytes,
  secret: string,
  scheme: SignatureScheme,
): Promise<Uint8Array> {
  const hash = (scheme.algorithm ?? 'sha256').replace('sha', 'SHA-');
  if (scheme.kind === 'hash') return new Uint8Array(await crypto.subtle.digest(hash, signed));
  const usage = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', keyOf(secret, scheme), usage, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
}

/** Returns the headers to add. Throws for what headers cannot express: a token in the query, fields of the body, or {params} of another body than a form. */
export async function sign(
  scheme: SignatureScheme,
  secret: string,
  request: SignableRequest,
): Promise<Readonly<Record<string, string>>> {
  const { headers } = await signatureOf(scheme, secret, request);
  if (!headers) throw new Error('This signature scheme cannot be expressed by headers.');
  return headers;
}

type SignedRequest = Required<Omit<SignableRequest, 'now'>> & {
  /** To add to those of the request. */
  readonly headers: Readonly<Record<string, string>>;
};

/** As `sign`, also where the signature is in the query or in fields of the body: then the request has another URL or body. */
export async function signRequest(
  scheme: SignatureScheme,
  secret: string,
  request: SignableRequest,
): Promise<SignedRequest> {
  const { headers = {}, query = {}, fields } = await signatureOf(scheme, secret, request);
  const { body, contentType = 'application/json' } = request;
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const filled = fields ? await withFields(body, contentType, fields) : { body, contentType };
  return { url: url.href, headers, ...filled };
}

/** Adds fields to a form, or members to a JSON object. */
async function withFields(
  body: string | Bytes,
  contentType: string,
  fields: Readonly<Record<string, string>>,
) {
  const given = new Response(body, { headers: { 'content-type': contentType } });
  if (/[/+]json\b/.test(contentType)) {
    const value = (await given.json()) as object;
    if (Array.isArray(value)) throw new Error('A list has no field for the signature.');
    return { body: JSON.stringify({ ...value, ...fields }), contentType };
  }
  const form = await given.formData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const isMultipart = contentType.startsWith('multipart/');
  const texts = () => new URLSearchParams([...form] as [string, string][]);
  const filled = new Response(isMultipart ? form : texts());
  return {
    contentType: filled.headers.get('content-type') ?? contentType,
    body: new Uint8Array(await filled.arrayBuffer()),
  };
}
