/**
 * The delivery of a message to an external channel. It has attempts, a lease and an outcome of its own; the
 * event is done once the message is stored.
 */
import type { TraceContext } from '../../base/observability/tracing.ts';

export const deliveryStates = ['waiting', 'sending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * What a destination reports. A later one replaces an earlier one. A message that arrived has not failed. `accepted`: its answer to
 * an attempt, by a destination that reports later whether the message reached the person.
 */
export const reportedStates = ['accepted', 'sent', 'failed', 'delivered', 'read'] as const;
export type ReportedState = (typeof reportedStates)[number];

export type MessageDelivery = {
  readonly state: DeliveryState;
  /** Set until the delivery has ended; the index of open deliveries uses it. */
  readonly open?: true;
  /** Earliest time of the next claim: the retry time, or the end of a lease. Null: now. */
  readonly nextAt: Date | null;
  readonly attempts: number;
  /** Attempts in a row that do not count because of Inlet. Absent: none. */
  readonly unsent?: number;
  /** Fencing token: every claim and every manual retry increments it. 0: the message has never been sent. */
  readonly fence: number;
  readonly token?: string;
  /**
   * An earlier attempt ended without a response or a stored outcome, so the destination may have the message.
   */
  readonly isUnknown: boolean;
  readonly reason: string | null;
  /** The destination's id of the message, where it gives one. */
  readonly externalId?: string;
  /** What the destination reported last of the message with this `externalId`. */
  readonly reported?: ReportedState;
  readonly finishedAt: Date | null;
  /** Refers to the span that its attempts continue. Only when that span is sampled. */
  readonly trace?: TraceContext;
};

/**
 * What a failure is about. `message`: this one, and the destination works. `channel`: its destination or settings, so that every
 * message would fail. `rate`: the destination takes no more for now. Absent: nothing is known about the destination.
 */
export type FailureScope = 'message' | 'channel' | 'rate';

/**
 * Why an attempt does not count. `destination`: it fails for every message. `person`: someone has to act first, and nothing was sent.
 * `inlet`: its database or its machine failed, and nothing was sent.
 */
export type FreeCause = 'destination' | 'person' | 'inlet';

/** Outcome of one attempt. */
export type DeliveryOutcome =
  /** `externalId`: the destination's id of the message. `reported`: the destination reports later what becomes of it. */
  | { readonly kind: 'delivered'; readonly externalId?: string; readonly reported?: 'accepted' }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly scope?: FailureScope;
      /** The destination's `Retry-After`, in milliseconds. */
      readonly retryAfterMs?: number;
      /** Unknown whether the destination accepted the message. */
      readonly isUnknown: boolean;
      /** The attempt does not count. */
      readonly free?: FreeCause;
    }
  | { readonly kind: 'dead'; readonly reason: string; readonly scope?: FailureScope };

/** Returns the result of an attempt for metrics and logs. `unsent`: nothing was sent, and the attempt does not count. */
export function attemptResultOf(outcome: DeliveryOutcome): DeliveryOutcome['kind'] | 'unsent' {
  const isUnsent =
    outcome.kind === 'retry' && (outcome.free === 'person' || outcome.free === 'inlet');
  return isUnsent ? 'unsent' : outcome.kind;
}

/** Returns the delivery of a new message. It is due at once, regardless of clock differences. */
export const newDelivery = (trace?: TraceContext): MessageDelivery => ({
  state: 'waiting',
  open: true,
  nextAt: null,
  attempts: 0,
  fence: 0,
  isUnknown: false,
  reason: null,
  finishedAt: null,
  ...(trace && { trace }),
});
