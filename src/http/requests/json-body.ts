/**
 * Reads the bodies of the administration and the other public APIs: JSON objects within a limit.
 * Rejects in the order of the contract: 415 by the headers alone, 413, then 400.
 */
import type { Request } from 'express';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import type { RawBody } from '../routing/route.ts';
import type { ReadBody } from './token-bodies.ts';
import { renderText, type PublicText } from '../../base/texts/texts.ts';

const maxBodyBytes = 1_048_576;

function requireIdentity(request: Request): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new AppError('unsupported_media_type');
}

export async function readAnyBody(request: Request, readBody: ReadBody): Promise<RawBody> {
  requireIdentity(request);
  const bytes = await readBody(request, maxBodyBytes);
  return { contentType: request.headers['content-type'], bytes };
}

/** RFC 6902. It is JSON too, and would be misread as a merge patch. */
const jsonPatch = /^application\/json-patch\+json\b/i;

type Decoded =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: PublicText };

/** Decodes bodies of the formats that it accepts. Never throws. */
export type BodyReader = {
  readonly acceptsContentType: (contentType: string | undefined) => boolean;
  readonly decodeBody: (raw: {
    readonly contentType: string | undefined;
    readonly body: Buffer;
  }) => Decoded;
};

type JsonBodyOptions = {
  readonly decoder: BodyReader;
  readonly readBody: ReadBody;
  /** Whether an empty body counts as `{}`. */
  readonly allowEmpty: boolean;
  /** Whether the body may be a list. */
  readonly allowList: boolean;
};

/** Resolves to the object in the body, or the list where it may be one. Rejects with `invalid_body` for any other value. */
export async function readJsonBody(
  request: Request,
  { decoder, readBody, allowEmpty, allowList }: JsonBodyOptions,
): Promise<unknown> {
  const contentType = request.headers['content-type'];
  if (contentType && jsonPatch.test(contentType)) throw new AppError('unsupported_media_type');
  if (!decoder.acceptsContentType(contentType)) throw new AppError('unsupported_media_type');
  requireIdentity(request);
  const body = await readBody(request, maxBodyBytes);
  if (body.length === 0) {
    if (allowEmpty) return {};
    throw new AppError('malformed_json');
  }
  const decoded = decoder.decodeBody({ contentType, body });
  if (!decoded.ok)
    throw new AppError(decoded.code, { internal: renderText(decoded.message, 'en') });
  if (typeof decoded.value !== 'object' || !decoded.value) throw new AppError('invalid_body');
  if (Array.isArray(decoded.value) && !allowList) throw new AppError('invalid_body');
  return decoded.value;
}
