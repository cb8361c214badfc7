/**
 * The bodies of the administration and the other public APIs: JSON objects within a limit.
 * The order of refusals is the contract's: 415 by the headers alone, 413, then 400.
 */
import type { Request } from 'express';
import { AppError } from '../../base/errors.ts';
import { readRawBody } from './raw-body.ts';
import type { RawBody } from '../routing/route.ts';

const maxBodyBytes = 1_048_576;

export type BodyReader = {
  /** Whether a body of this content type can be read at all. A missing one is read as JSON. */
  readonly acceptsContentType: (contentType: string | undefined) => boolean;
  readonly decodeBody: (raw: { contentType: string | undefined; body: Buffer }) =>
    | { ok: true; value: unknown }
    | {
        ok: false;
        code: 'malformed_json' | 'invalid_body' | 'unsupported_media_type';
        message: string;
      };
};

/** Throws where it is compressed. */
function requireIdentity(request: Request): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new AppError('unsupported_media_type');
}

/** Whatever was sent, as it came. */
export async function readAnyBody(request: Request): Promise<RawBody> {
  requireIdentity(request);
  const bytes = await readRawBody(request, maxBodyBytes);
  return { contentType: request.headers['content-type'], bytes };
}

/** The other kind of patch (RFC 6902), which is JSON as well and would be misread. */
const jsonPatch = /^application\/json-patch\+json\b/i;

/** The object that was sent. `action`: an empty body counts as `{}`. */
export async function readJsonBody(
  request: Request,
  reader: BodyReader,
  action: boolean,
): Promise<Record<string, unknown>> {
  const contentType = request.headers['content-type'];
  if (contentType && jsonPatch.test(contentType)) throw new AppError('unsupported_media_type');
  if (!reader.acceptsContentType(contentType)) throw new AppError('unsupported_media_type');
  requireIdentity(request);
  const body = await readRawBody(request, maxBodyBytes);
  if (body.length === 0) {
    if (action) return {};
    throw new AppError('malformed_json');
  }
  const decoded = reader.decodeBody({ contentType, body });
  if (!decoded.ok) throw new AppError(decoded.code, { internal: decoded.message });
  if (typeof decoded.value !== 'object' || !decoded.value || Array.isArray(decoded.value)) {
    throw new AppError('invalid_body');
  }
  return decoded.value as Record<string, unknown>;
}
