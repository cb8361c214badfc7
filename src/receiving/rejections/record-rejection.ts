/** A rejected request that a person makes an event of. */
import { receptionModeOf, type Webhook } from '../../domain/webhooks/webhook.ts';
import { rejectionSampleId, type Rejection } from '../../domain/webhooks/rejection.ts';
import type { Receiving } from '../receiving.ts';
import { recordEvent, type RecordedEvent } from '../recording/record-event.ts';
import { notRecordable, readStored } from '../samples.ts';

type RecordingOptions = {
  readonly webhook: Webhook;
  /** Called once the rejection is known to be readable, before the event is recorded. */
  readonly audit: () => Promise<void>;
};

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
  if (mode !== 'event' && mode !== 'held') throw notRecordable(webhook.status);
  const { body, complete } = rejection;
  if (!body || !complete) throw notRecordable('incomplete');
  const decoded = readStored(receiving, { ...rejection, body }, webhook);
  if (Array.isArray(decoded.body)) {
    const [active] = await receiving.mappings.of(webhook);
    if (!active?.splits) throw notRecordable('needs_split');
  }
  await audit();
  const { receivedAt, _id } = rejection;
  const origin = { receivedAt, sampleId: rejectionSampleId(_id) };
  return recordEvent(receiving, decoded, origin);
}
