/**
 * One request to a webhook's URL, from its key to what is stored. `acceptRequest` holds the order of the steps:
 * authenticate, source policy, content type, read the body, verify the signature, decode, handshake, record. The recorder
 * sends the hint to the queue.
 *
 * Promises: it resolves once the request is stored, or is a handshake. Must never wait for Redis, or pass the key on.
 */
import { AppError } from '../base/errors.ts';
import { receptionModeOf } from '../domain/webhooks/webhook.ts';
import { emptyAnswer, type Answer } from '../producers/handshake/handshake.ts';
import type { Producer } from '../producers/producer.ts';
import { configuredAnswer } from '../producers/sender-checks.ts';
import { authenticate } from './authenticate.ts';
import type { Receiving } from './receiving.ts';
import { recordEvent, type DecodedRequest, type ReceiveResult } from './recording/record-event.ts';
import { storePing, storeSample } from './samples.ts';
import { parseRequest, type SenderRequest } from './sender-request.ts';
import { answerSenderHandshake, type AuthenticatedRequest } from './sender-verification.ts';
import { requireAllowedSource } from './source-policy.ts';
import { verifyAndDecode, verifyAndDecodeLarge } from './verify-and-decode.ts';

/** `answer` is sent instead of the envelope; null for the envelope. */
export type AcceptedRequest = { readonly result: ReceiveResult; readonly answer: Answer | null };

/**
 * Accepts one POST. Rejects, checked in this order, with `invalid_key`, `source_not_allowed`, `rate_limited`,
 * `unsupported_media_type`, what `readBody` rejects with, `invalid_signature`, `malformed_json` or `invalid_body`; with
 * `overloaded` or `unavailable` when it cannot be stored.
 */
export async function acceptRequest(
  receiving: Receiving,
  sent: SenderRequest,
): Promise<AcceptedRequest> {
  const webhook = await authenticate(receiving, sent);
  sent.log.webhookId = webhook._id;
  const { usageLimits } = receiving;
  requireAllowedSource(receiving.sourcePolicy, webhook, sent.clientAddress);
  usageLimits.require(webhook._id);
  const producer = receiving.producerOf(webhook.producerProfile);
  requireReadableBody(producer, sent);
  const rawBody = await sent.readBody(webhook._id);
  usageLimits.chargeBytes(webhook._id, rawBody.length);
  const turn = usageLimits.turnFor(webhook._id, rawBody.length);
  if (turn) await turn;
  const authenticated = { producer, webhook, request: parseRequest(sent) };
  const raw = { contentType: authenticated.request.contentType, body: rawBody };
  return receiving.largeBodies.isLarge(raw)
    ? storeLarge(receiving, authenticated, rawBody)
    : store(receiving, authenticated, rawBody);
}

/**
 * Answers a HEAD or a GET, which some senders send before they accept a URL, and stores nothing. A HEAD is answered for every
 * webhook; a GET when it is a handshake, or where the webhook's setting says so. Rejects with `method_not_allowed` otherwise and
 * for each other method; with `invalid_key`, `source_not_allowed` and `rate_limited` as a POST.
 */
export async function answerProbe(
  receiving: Receiving,
  sent: SenderRequest,
): Promise<AcceptedRequest> {
  const { method } = sent;
  if (method !== 'HEAD' && method !== 'GET') throw notAllowed();
  const webhook = await authenticate(receiving, sent);
  const producer = receiving.producerOf(webhook.producerProfile);
  const authenticated = { producer, webhook, request: parseRequest(sent) };
  const answer = answerSenderHandshake(receiving.readSettings, authenticated);
  const isAnswered = method === 'HEAD' || webhook.settings.answersGet === true;
  if (!answer && !isAnswered) throw notAllowed();
  requireAllowedSource(receiving.sourcePolicy, webhook, sent.clientAddress);
  receiving.usageLimits.require(webhook._id);
  return { result: { mode: 'handshake' }, answer: answer ?? emptyAnswer(200) };
}

const notAllowed = () => new AppError('method_not_allowed', { details: { allow: 'POST, HEAD' } });

/** Throws `unsupported_media_type` for a content type that the producer does not read, and for a compressed body. */
function requireReadableBody(producer: Producer, { headers }: SenderRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  const isPlain = encoding.toLowerCase() === 'identity';
  if (isPlain && producer.acceptsContentType(headers['content-type'])) return;
  throw new AppError('unsupported_media_type');
}

function store(
  receiving: Receiving,
  authenticated: AuthenticatedRequest,
  rawBody: Buffer,
): Promise<AcceptedRequest> {
  const decoded = receiving.usageLimits.chargeWork(authenticated.webhook._id, () =>
    verifyAndDecode(receiving, authenticated, rawBody),
  );
  return finish(receiving, authenticated, decoded);
}

function storeLarge(
  receiving: Receiving,
  authenticated: AuthenticatedRequest,
  rawBody: Buffer,
): Promise<AcceptedRequest> {
  const verified = verifyAndDecodeLarge(receiving, authenticated, rawBody);
  return verified.then((decoded) => finish(receiving, authenticated, decoded));
}

/**
 * Not async: a decoded body takes several times the memory of its text, and an async function would keep it until the
 * record is stored.
 */
function finish(
  receiving: Receiving,
  authenticated: AuthenticatedRequest,
  decoded: DecodedRequest,
): Promise<AcceptedRequest> {
  const { producer, webhook } = authenticated;
  const handshake = answerSenderHandshake(receiving.readSettings, authenticated, decoded.body);
  if (handshake) return Promise.resolve({ result: { mode: 'handshake' }, answer: handshake });
  return record(receiving, producer, decoded).then((result) => ({
    result,
    answer: configuredAnswer(producer, webhook.settings),
  }));
}

/** Stores the request as a sample or an event, by the webhook's status. A producer's test request is always a sample. */
function record(
  receiving: Receiving,
  producer: Producer,
  decoded: DecodedRequest,
): Promise<ReceiveResult> {
  const { webhook, body } = decoded;
  const { headers, query } = decoded.request;
  if (producer.isPing?.({ body, headers, query })) return storePing(receiving, decoded);
  if (receptionModeOf(webhook.status) === 'sample') return storeSample(receiving, decoded);
  return recordEvent(receiving, decoded, { receivedAt: receiving.clock.now() });
}
