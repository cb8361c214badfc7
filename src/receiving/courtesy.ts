/** What passes between a sender and a receiver beside the delivery: proof of who sends, and answers to handshakes. */
import { AppError } from '../base/errors.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { Answer } from '../producers/handshake/handshake.ts';
import type { Producer } from '../producers/producer.ts';
import { answerHandshake, verifyRequest } from '../producers/reception.ts';
import type { SenderRequest } from './delivery.ts';

type Visit = {
  readonly producer: Producer;
  readonly webhook: Webhook;
  readonly request: SenderRequest;
};

/** The answer to a handshake, which never becomes an event or a sample; null for anything else. */
export function greetingFor({ producer, webhook, request }: Visit, body?: unknown): Answer | null {
  const { method, headers } = request;
  const query = Object.fromEntries(request.query);
  return answerHandshake(producer, webhook.settings, { method, headers, query, body });
}

/** Over the bytes as they came, before anything of them is read. Throws `invalid_signature`. */
export function requireSigned(
  { producer, webhook, request }: Visit,
  { rawBody, now }: { rawBody: Buffer; now: Date },
): void {
  const { method, url, headers } = request;
  const query = Object.fromEntries(request.query);
  const signed = { method, url, headers, query, rawBody };
  const verdict = verifyRequest(producer, webhook.settings, { request: signed, now });
  if (!verdict.ok) throw new AppError('invalid_signature', { internal: verdict.reason });
}
