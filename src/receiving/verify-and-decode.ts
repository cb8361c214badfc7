/**
 * Verifies the raw body and decodes the stored one, so that a worker reads the same later. The two are one buffer unless the body
 * contains the path key: a signature whose fields are in the body does not cost a second decoding.
 */
import { AppError } from '../base/errors.ts';
import type { InboundRequest } from '../domain/events/event.ts';
import type { Decoded, Producer } from '../producers/producer.ts';
import { verifiesFields } from '../producers/sender-checks.ts';
import { inboundRequestOf } from './inbound-request.ts';
import type { Receiving } from './receiving.ts';
import type { DecodedRequest } from './recording/record-event.ts';
import { requireValidSignature, type AuthenticatedRequest } from './sender-verification.ts';
import { renderText } from '../base/texts/texts.ts';

/** Throws `invalid_signature`, `malformed_json` or `invalid_body`. */
export function verifyAndDecode(
  { readSettings, clock }: Pick<Receiving, 'readSettings' | 'clock'>,
  authenticated: AuthenticatedRequest,
  rawBody: Buffer,
): DecodedRequest {
  const { producer, request: sent } = authenticated;
  const decodeOnce = createDecodeOnce(producer, sent.contentType);
  const now = clock.now();
  requireValidSignature(readSettings, authenticated, { rawBody, now, decodeBody: decodeOnce });
  const request = inboundRequestOf(sent, rawBody);
  return decodedRequestOf(authenticated, request, decodeOnce(request.body));
}

/**
 * As `verifyAndDecode`, for a body that takes long to decode: it is decoded outside of the event loop, and after the signature
 * where that does not depend on its fields. Rejects with `rate_limited` or `overloaded` as well.
 */
export async function verifyAndDecodeLarge(
  receiving: Receiving,
  authenticated: AuthenticatedRequest,
  rawBody: Buffer,
): Promise<DecodedRequest> {
  const { readSettings, clock, usageLimits, largeBodies } = receiving;
  const { producer, webhook, request: sent } = authenticated;
  const { contentType } = sent;
  const decode = (body: Buffer) => largeBodies.decode(webhook._id, producer, { contentType, body });
  const fields = verifiesFields(producer, webhook.settings) ? await decode(rawBody) : undefined;
  const request = usageLimits.chargeWork(webhook._id, () => {
    const decodeBody = () => fields ?? producer.decodeBody({ contentType, body: rawBody });
    const now = clock.now();
    requireValidSignature(readSettings, authenticated, { rawBody, now, decodeBody });
    return inboundRequestOf(sent, rawBody);
  });
  const isDecoded = fields !== undefined && request.body === rawBody;
  const decoded = isDecoded ? fields : await decode(request.body);
  return decodedRequestOf(authenticated, request, decoded);
}

function decodedRequestOf(
  { webhook, request: { trace } }: AuthenticatedRequest,
  request: InboundRequest,
  decoded: Decoded,
): DecodedRequest {
  if (!decoded.ok)
    throw new AppError(decoded.code, { internal: renderText(decoded.message, 'en') });
  return { webhook, request, body: decoded.value, trace };
}

function createDecodeOnce(producer: Producer, contentType: string | undefined) {
  let last: { readonly body: Buffer; readonly decoded: Decoded } | undefined;
  return (body: Buffer): Decoded => {
    if (last?.body !== body) last = { body, decoded: producer.decodeBody({ contentType, body }) };
    return last.decoded;
  };
}
