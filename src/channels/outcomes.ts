/** The outcomes of attempts, in the words that all kinds share. */
import type { Reason } from '../domain/events/actions.ts';
import type { DeliveryOutcome, FailureScope } from '../domain/messages/delivery.ts';

type RetryParts = {
  readonly scope?: FailureScope;
  readonly retryAfterMs?: number | undefined;
  readonly isUnknown?: boolean;
};

/** `detail`: a status or an error code, never a part of an answer. */
export const retryLater = (
  detail: string | number,
  { scope, retryAfterMs, isUnknown = false }: RetryParts = {},
): DeliveryOutcome => ({
  kind: 'retry',
  reason: `${'destination_unavailable' satisfies Reason}:${detail}`,
  isUnknown,
  ...(scope && { scope }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

export const rejected = (
  detail: string | number,
  scope: FailureScope = 'message',
): DeliveryOutcome => ({
  kind: 'dead',
  reason: `${'destination_rejected' satisfies Reason}:${detail}`,
  scope,
});

/** The address is not allowed. */
export const addressRefused: DeliveryOutcome = {
  kind: 'dead',
  reason: 'destination_refused' satisfies Reason,
  scope: 'channel',
};
