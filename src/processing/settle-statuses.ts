/**
 * Applies what destinations report about sent messages. Such an event has no contact, chat or message.
 *
 * Promises: a report that is too early is retried like any event. A report of a message that the channel does not know is tried
 * again, because the destination's id of a message is recorded after the report may arrive; at last the event is ignored:
 * another program may use the same account.
 */
import type { Reason } from '../domain/events/actions.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import { type ReportResult, applyDeliveryStatuses } from '../store/chats/delivery-statuses.ts';
import type { ReceivedStatus } from './read/read-event.ts';
import type { Db } from '../store/db/connection.ts';

/** By default the last of them comes some minutes after the first. An outcome is recorded within seconds. */
const maxUnmatchedAttempts = 5;

const ignored = (reason: Reason): Outcome => ({ kind: 'ignored', reason });
const retry = (reason: Reason): Outcome => ({ kind: 'retry', reason });

function outcomeOf({ event, status }: ReceivedStatus, result: ReportResult): Outcome {
  if (result === 'applied') return ignored('delivery_status');
  if (result === 'early') return retry('delivery_status_early');
  // A message is stored before it is sent, so one that its own id does not find is gone.
  const isFinal = status.messageId !== null || event.attempts >= maxUnmatchedAttempts;
  return isFinal ? ignored('delivery_status_unmatched') : retry('delivery_status_early');
}

/** Returns the outcomes by event id. Throws errors of the store. */
export async function settleStatuses(
  ctx: Db,
  received: readonly ReceivedStatus[],
): Promise<ReadonlyMap<string, Outcome>> {
  if (received.length === 0) return new Map();
  const results = await applyDeliveryStatuses(ctx, received);
  return new Map(
    received.map((one, index) => [one.event._id, outcomeOf(one, results[index] ?? 'early')]),
  );
}
