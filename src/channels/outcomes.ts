/** The outcomes of attempts, in the words that all kinds share. */
import type { Reason } from '../domain/events/actions.ts';
import type { DeliveryOutcome, FailureScope, FreeCause } from '../domain/messages/delivery.ts';

type RetryParts = {
  readonly scope?: FailureScope;
  readonly retryAfterMs?: number | undefined;
  readonly isUnknown?: boolean;
  readonly free?: FreeCause;
};

/** `detail`: a status or an error code, never a part of an answer. */
export const retryLater = (
  detail: string | number,
  { scope, retryAfterMs, isUnknown = false, free }: RetryParts = {},
): DeliveryOutcome => ({
  kind: 'retry',
  reason: `${'destination_unavailable' satisfies Reason}:${detail}`,
  isUnknown,
  ...(scope && { scope }),
  ...(free && { free }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** The worker's machine has no file descriptor or memory left, so no destination would be reached. */
const exhaustedCodes = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** `code`: of the error that ended the connection or kept it from opening. `isSent`: the destination may have the message. */
export const notAnswered = (code: string, isSent: boolean): DeliveryOutcome =>
  !isSent && exhaustedCodes.has(code)
    ? retryLater(code, { free: 'inlet' })
    : retryLater(code, { scope: 'channel', isUnknown: isSent });

/** Of gateways, also that of Cloudflare: the service behind it gave no answer that was understood, and may have the message. */
const gatewayStatuses = new Set([502, 504, 520, 524]);

/** Whether a response with this status leaves open what became of the message. */
export const hidesResult = (status: number): boolean => gatewayStatuses.has(status);

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

/**
 * What a status is about, where a service says no more. `message`: this one; final. `channel`: the channel, so that every message
 * fails. `rate`: the channel pauses. `service`: the service fails; retried.
 */
export type Treatment = 'message' | 'channel' | 'rate' | 'service';

/** `channelStatuses`: those about the credentials or the URL. */
export function treatmentOfStatus(status: number, channelStatuses: ReadonlySet<number>): Treatment {
  if (status === 429) return 'rate';
  if (status >= 500 || status === 408 || status === 425) return 'service';
  const isRedirect = status >= 300 && status < 400;
  return isRedirect || channelStatuses.has(status) ? 'channel' : 'message';
}
