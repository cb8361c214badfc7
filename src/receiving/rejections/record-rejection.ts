/** A rejected request that a person makes an event of. */
import { AppError } from '../../base/errors.ts';
import { receptionModeOf, type Webhook } from '../../domain/webhooks/webhook.ts';
import { rejectionSampleId, type Rejection } from '../../domain/webhooks/rejection.ts';
import type { Receiving } from '../receiving.ts';
import { recordEvent, type DecodedRequest, type RecordedEvent } from '../recording/record-event.ts';

type RecordingOptions = {
  readonly webhook: Webhook;
  /** Called once the rejection is known to be readable, before the event is recorded. */
  readonly audit: () => Promise<void>;
};

const notNow = (state: string, internal?: string) =>
  new AppError('invalid_transition', {
    details: { state },
    ...(internal !== undefined && { internal }),
  });

/**
 * Records the rejected request as an event of its original time, as if it were received again. It becomes at most one event,
 * however often this is called, also through a sample that was made of it. Throws `invalid_transition` with the state
 * `incomplete`, `unreadable`, `test_request`, `needs_split` or that of a webhook that records no events.
 */
export async function recordRejection(
  receiving: Receiving,
  rejection: Rejection,
  { webhook, audit }: RecordingOptions,
): Promise<RecordedEvent> {
  const mode = receptionModeOf(webhook.status);
  if (mode !== 'event' && mode !== 'held') throw notNow(webhook.status);
  const decoded = decodedRequestOf(receiving, rejection, webhook);
  if (Array.isArray(decoded.body)) {
    const [active] = await receiving.mappings.of(webhook);
    if (!active?.splits) throw notNow('needs_split');
  }
  await audit();
  const { receivedAt, _id } = rejection;
  const origin = { receivedAt, sampleId: rejectionSampleId(_id) };
  return recordEvent(receiving, decoded, origin);
}

function decodedRequestOf(
  receiving: Receiving,
  { body: bytes, complete, contentType, headers, query }: Rejection,
  webhook: Webhook,
): DecodedRequest {
  if (!bytes || !complete) throw notNow('incomplete');
  const producer = receiving.producerOf(webhook.producerProfile);
  const decoded = producer.decodeBody({ contentType, body: bytes });
  if (!decoded.ok) throw notNow('unreadable', decoded.message);
  const { value: body } = decoded;
  if (producer.isPing?.({ body, headers, query })) throw notNow('test_request');
  return { webhook, request: { body: bytes, contentType, headers, query }, body };
}
