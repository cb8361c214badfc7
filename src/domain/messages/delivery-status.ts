/**
 * What a destination reports later about a message that it was sent.
 *
 * Promises: the reports of a message may arrive in any order and more than once, also before the outcome of its attempt is
 * recorded; the delivery ends in the same state.
 */
import { reasonCode } from '../events/outcome.ts';
import type { Reason } from '../events/actions.ts';
import { reportedStates, type MessageDelivery, type ReportedState } from './delivery.ts';

export type DeliveryStatus = {
  /** Our id of the message; null when the destination does not repeat it. */
  readonly messageId: string | null;
  /** The destination's id of the message. */
  readonly externalId: string;
  readonly state: Exclude<ReportedState, 'accepted'>;
  /** Why it failed: a code of the reasons, with a detail after a colon. Null otherwise. */
  readonly reason: string | null;
};

/** What a report changes. */
export type SettledDelivery = Pick<MessageDelivery, 'reason'> & {
  readonly state: 'delivered' | 'dead';
  readonly reported: ReportedState;
  readonly externalId: string;
};

const rankOf = (state: ReportedState): number => reportedStates.indexOf(state);

/** Whether the message arrived, and a report that it came less far tells nothing new. */
const isFarther = (reported: ReportedState | undefined, state: ReportedState): boolean =>
  (reported === 'delivered' || reported === 'read') && rankOf(reported) > rankOf(state);

/** Returns null when the report changes nothing, and `early` when the outcome of an attempt must be recorded before. */
export function settledBy(
  delivery: MessageDelivery,
  { state, reason, externalId }: DeliveryStatus,
): SettledDelivery | 'early' | null {
  const { reported } = delivery;
  const isKnown = delivery.externalId === externalId;
  if (isKnown && reported !== undefined && rankOf(reported) >= rankOf(state)) return null;
  // A message that was sent twice came as far as the one that came farthest.
  if (isFarther(reported, state)) return null;
  if (state !== 'failed') return { state: 'delivered', reason: null, reported: state, externalId };
  if (delivery.state === 'sending') return 'early';
  if (!mayHaveIt(delivery)) return null;
  // The report is about an earlier attempt.
  if (delivery.externalId !== undefined && !isKnown) return null;
  const failed: Reason = 'destination_rejected';
  return { state: 'dead', reason: reason ?? failed, reported: state, externalId };
}

/** Whether the destination may have the message of the last attempt. */
const mayHaveIt = ({ state, isUnknown, reason }: MessageDelivery): boolean =>
  state === 'delivered' ||
  isUnknown ||
  reasonCode(reason ?? '') === ('delivery_unknown' satisfies Reason);
