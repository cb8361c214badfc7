/**
 * The errors of the Telegram Bot API and what each means for a delivery, from https://core.telegram.org/bots/api#making-requests.
 * docs/errors.md is generated from these.
 */
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import {
  hidesResult,
  rejected,
  retryLater,
  treatmentOfStatus,
  type Treatment,
} from '../outcomes.ts';
import { isJsonObject, isText, jsonObjectIn } from '../../base/json/json-values.ts';
import type { DestinationAnswer } from '../http/call-destination.ts';

type KnownError = {
  readonly status: number;
  /** A part of the description, in lower case. */
  readonly says: string;
  readonly detail: string;
};

/** Errors whose description tells more than their status. */
export const knownErrors: readonly KnownError[] = [
  { status: 400, says: 'chat not found', detail: 'chat_not_found' },
  { status: 400, says: 'peer_id_invalid', detail: 'chat_not_found' },
  { status: 400, says: 'upgraded to a supergroup', detail: 'chat_moved' },
  { status: 400, says: 'message is too long', detail: 'text_too_long' },
  { status: 400, says: 'text is empty', detail: 'no_text' },
  { status: 403, says: 'blocked by the user', detail: 'blocked' },
  { status: 403, says: 'user is deactivated', detail: 'deactivated' },
  { status: 403, says: "can't initiate conversation", detail: 'not_started' },
];

/** 404 is the answer to a token that has another form. */
const channelStatuses = new Set([401, 404]);
export const treatmentOf = (status: number): Treatment =>
  treatmentOfStatus(status, channelStatuses);

type ApiError = {
  readonly status: number;
  readonly description: string;
  readonly retryAfterMs: number | undefined;
};

/** An error is a definite answer, unless it is that of a gateway: the message was not accepted. */
function outcomeOfError({ status, description, retryAfterMs }: ApiError): DeliveryOutcome {
  const treatment = treatmentOf(status);
  if (treatment === 'rate') return retryLater(status, { scope: 'rate', retryAfterMs });
  if (treatment !== 'message') {
    return retryLater(status, { scope: 'channel', retryAfterMs, isUnknown: hidesResult(status) });
  }
  const text = description.toLowerCase();
  const known = knownErrors.find((one) => one.status === status && text.includes(one.says));
  return rejected(known?.detail ?? status);
}

const maxRetryAfterSeconds = 86_400;

export function errorOf({ status, retryAfterMs, body }: DestinationAnswer): DeliveryOutcome {
  const { description, parameters } = jsonObjectIn(body);
  const seconds = Number(isJsonObject(parameters) ? parameters.retry_after : NaN);
  const isWait = seconds > 0 && seconds <= maxRetryAfterSeconds;
  return outcomeOfError({
    status,
    description: isText(description) ? description : '',
    retryAfterMs: isWait ? seconds * 1_000 : retryAfterMs,
  });
}
