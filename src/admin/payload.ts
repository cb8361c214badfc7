/**
 * Payloads as people send and see them: decoded as a producer's would be, and with secrets masked.
 *
 * Promises: what was stored is shown as it would be read by a mapping.
 * Must never: show a value whose name says that it is a credential.
 */
import { AppError } from '../base/errors.ts';
import type { Payload } from '../domain/mapping.ts';
import { producerOf, producers } from '../producers/registry.ts';

export const producerNames = Object.keys(producers);

/** A payload written by hand: exactly one of `body` (decoded) and `rawBody` (UTF-8 text). */
export type GivenPayload = {
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
};

const unacceptable = (path: string, message: string): AppError =>
  new AppError('invalid_field', { details: { fields: [{ path, message }] } });

/** Throws `invalid_field`; `path` is where the payload stands in the request. */
export function readPayload(given: GivenPayload, profile: string, path: string): Payload {
  const { body, rawBody, contentType, headers = {}, query = {} } = given;
  if ((body === undefined) === (rawBody === undefined)) {
    throw unacceptable(path, 'must have either body or rawBody');
  }
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (rawBody === undefined) return { body, headers: lowered, query };
  const raw = { contentType, body: Buffer.from(rawBody) };
  const decoded = producerOf(profile).decodeBody(raw);
  if (!decoded.ok) throw unacceptable(`${path}/rawBody`, decoded.message);
  return { body: decoded.value, headers: lowered, query };
}

type Kept = { readonly contentType: string; readonly body: Buffer };

/** The decoded body; null where it cannot be read. */
export function decodeKept({ contentType, body }: Kept, profile: string): unknown {
  const decoded = producerOf(profile).decodeBody({ contentType: contentType || undefined, body });
  return decoded.ok ? decoded.value : null;
}

const mask = '***';
const secretName =
  /(?:^|[-_.])(?:authorization|cookie|passw(?:or)?d|senha|contraseña|secret|signature|(?:api|access|secret|private)[-_]?key|keyapi)$|(?:^|[-_.]|access|refresh|auth|api)token$/i;

const isSecret = (name: string): boolean => secretName.test(name);

export function maskNamed(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(name) ? mask : value]),
  );
}

/** Depth is bounded by the decoder. */
export function maskBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskBody);
  if (typeof value !== 'object' || value === null) return value;
  const masked: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value)) {
    const isText = typeof inner === 'string' || typeof inner === 'number';
    masked[name] = isText && isSecret(name) ? mask : maskBody(inner);
  }
  return masked;
}
