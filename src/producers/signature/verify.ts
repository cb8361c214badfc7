/**
 * Verifies that a request was signed with one of the secrets, by a signature scheme.
 *
 * Promises: it verifies the bytes as they were sent, compares in constant time, and tries every secret. Pure: the caller
 * passes the time. Must never: throw, accept a request when there is no secret, or return more than a reason from its list.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type {
  FieldsScheme,
  HashScheme,
  HmacScheme,
  SignatureScheme,
  TokenScheme,
} from '../../domain/webhooks/verification-settings.ts';
import { isSameSecret } from '../same-secret.ts';
import {
  createSignedContents,
  headerOf,
  type SignedContent,
  type SignedRequest,
} from './signed-content.ts';

type VerifySettings = {
  readonly scheme: SignatureScheme;
  readonly secrets: readonly string[];
  readonly toleranceSeconds?: number;
};

type VerifyFailure =
  | 'no_secret'
  | 'no_scheme'
  | 'missing_signature'
  | 'missing_timestamp'
  | 'missing_part'
  | 'stale_timestamp'
  | 'wrong_signature';

export type VerificationResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: VerifyFailure };

const defaultToleranceSeconds = 300;
/** Signatures in one header: producers send one for each valid secret. */
const maxSignatures = 10;

const fail = (reason: VerifyFailure): VerificationResult => ({ ok: false, reason });

export function verifySignature(
  request: SignedRequest,
  settings: VerifySettings,
  now: Date,
): VerificationResult {
  const { scheme } = settings;
  const secrets = settings.secrets.filter((secret) => isUsableSecret(secret, scheme));
  if (secrets.length === 0) return fail('no_secret');
  if (scheme.kind === 'token') return verifyToken(request, scheme, secrets);
  const tolerance = settings.toleranceSeconds ?? defaultToleranceSeconds;
  const isRecent = (timestamp: string) => isFresh(timestamp, tolerance, now);
  if (scheme.kind === 'fields') return verifyFields(request, scheme, { secrets, isRecent });
  const header = headerOf(request, scheme.header);
  if (header === null) return fail('missing_signature');
  const signatures = signaturesIn(header, scheme);
  if (signatures.length === 0) return fail('missing_signature');
  const timestamp = timestampOf(request, header, scheme);
  if (scheme.timestamp && timestamp === null) return fail('missing_timestamp');
  const contents = createSignedContents(request, scheme, timestamp);
  if (contents === null) return fail('missing_part');
  const digests = secrets.flatMap((secret) =>
    contents.map((parts) => digestOf(parts, scheme, secret)),
  );
  // All pairs are compared, so the time does not tell which one matches.
  const matches = digests.flatMap((digest) => signatures.map((each) => isEqual(each, digest)));
  if (!matches.includes(true)) return fail('wrong_signature');
  return timestamp === null || isRecent(timestamp) ? { ok: true } : fail('stale_timestamp');
}

/**
 * Returns whether a scheme can verify with the secret. With an empty key, one that is cut at its first wrong digit, or a hash
 * without the secret anyone could sign.
 */
export function isUsableSecret(secret: string, scheme: SignatureScheme): boolean {
  if (secret.trim() === '') return false;
  if (scheme.kind === 'token' || scheme.kind === 'fields') return true;
  if (scheme.kind === 'hash') return scheme.signed?.includes('{secret}') === true;
  const isHex = scheme.secretEncoding === 'hex';
  return isHex
    ? /^(?:[\da-f]{2})+$/i.test(bareOf(secret, scheme))
    : keyOf(secret, scheme).length > 0;
}

const pairsIn = (
  header: string,
  { separator = ',' }: HmacScheme | HashScheme,
): [string, string][] =>
  header.split(separator).map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });

/** Returns the signatures in the notation in which digests are compared. */
function signaturesIn(header: string, scheme: HmacScheme | HashScheme): string[] {
  const { field, separator, prefix = '', encoding } = scheme;
  const all =
    field === undefined
      ? header.split(separator ?? '\n')
      : pairsIn(header, scheme).flatMap(([name, value]) => (name === field ? [value] : []));
  return all
    .map((each) => each.trim())
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length))
    .filter((each) => each !== '')
    .slice(0, maxSignatures)
    .map((each) => (encoding === 'hex' ? each.toLowerCase() : each.replace(/=+$/, '')));
}

function timestampOf(
  request: SignedRequest,
  header: string,
  scheme: HmacScheme | HashScheme,
): string | null {
  const { timestamp } = scheme;
  if (timestamp === undefined) return null;
  if ('header' in timestamp) return headerOf(request, timestamp.header);
  return pairsIn(header, scheme).find(([name]) => name === timestamp.field)?.[1] ?? null;
}

// Smaller numbers are seconds until the year 5138; larger ones are milliseconds since 1973.
const maxSeconds = 1e11;

function isFresh(timestamp: string, toleranceSeconds: number, now: Date): boolean {
  const number = /^\d{1,16}$/.test(timestamp) ? Number(timestamp) : null;
  const ms =
    number === null ? Date.parse(timestamp) : number < maxSeconds ? number * 1_000 : number;
  return Math.abs(now.getTime() - ms) <= toleranceSeconds * 1_000;
}

function digestOf(parts: SignedContent, scheme: HmacScheme | HashScheme, secret: string): string {
  const hasher =
    scheme.kind === 'hmac'
      ? createHmac(scheme.algorithm, keyOf(secret, scheme))
      : createHash(scheme.algorithm);
  for (const part of parts(secret)) hasher.update(part);
  const digest = hasher.digest(scheme.encoding);
  return digest.replace(/=+$/, '');
}

const withoutPrefix = (secret: string, prefix: string): string =>
  secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;

const bareOf = (secret: string, { secretPrefix = '' }: HmacScheme): string =>
  withoutPrefix(secret, secretPrefix);

function keyOf(secret: string, scheme: HmacScheme): Buffer {
  const { secretEncoding = 'text' } = scheme;
  return Buffer.from(bareOf(secret, scheme), secretEncoding === 'text' ? 'utf8' : secretEncoding);
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function verifyToken(
  request: SignedRequest,
  scheme: TokenScheme,
  secrets: readonly string[],
): VerificationResult {
  const { prefix = '' } = scheme;
  const text = tokenIn(request, scheme);
  if (text === null || !text.startsWith(prefix)) return fail('missing_signature');
  const given = text.slice(prefix.length);
  const bare = secrets.map((secret) => withoutPrefix(secret, prefix));
  const matches = bare.map((secret) => isSameSecret(given, secret));
  return matches.includes(true) ? { ok: true } : fail('wrong_signature');
}

function tokenIn(request: SignedRequest, { from }: TokenScheme): string | null {
  if ('header' in from) return headerOf(request, from.header);
  if ('query' in from) return ownText(request.query ?? {}, from.query);
  return ownText(request.decodedBody, from.field);
}

type FieldsCheck = {
  readonly secrets: readonly string[];
  readonly isRecent: (timestamp: string) => boolean;
};

function verifyFields(
  request: SignedRequest,
  scheme: FieldsScheme,
  { secrets, isRecent }: FieldsCheck,
): VerificationResult {
  const fields = request.decodedBody;
  const [given, timestamp, token] = [scheme.signature, scheme.timestamp, scheme.token].map((name) =>
    ownText(fields, name),
  );
  if (!given) return fail('missing_signature');
  if (!timestamp) return fail('missing_timestamp');
  if (!token) return fail('missing_part');
  const digests = secrets.map((secret) =>
    createHmac(scheme.algorithm, secret).update(timestamp).update(token).digest(scheme.encoding),
  );
  const matches = digests.map((digest) => isEqual(given, digest));
  if (!matches.includes(true)) return fail('wrong_signature');
  return isRecent(timestamp) ? { ok: true } : fail('stale_timestamp');
}

function ownText(values: unknown, name: string): string | null {
  if (typeof values !== 'object' || values === null || !Object.hasOwn(values, name)) return null;
  const value: unknown = (values as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
