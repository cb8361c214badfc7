/** Reads an error answer of the Bot API. */
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import type { DestinationAnswer } from '../http/call-destination.ts';
import { isJson, jsonIn } from '../http/json-answer.ts';
import { outcomeOfError } from './api-errors.ts';
import { isText } from './settings.ts';

const maxRetryAfterSeconds = 86_400;

export function errorOf({ status, retryAfterMs, body }: DestinationAnswer): DeliveryOutcome {
  const { description, parameters } = jsonIn(body);
  const seconds = Number(isJson(parameters) ? parameters.retry_after : NaN);
  const isWait = seconds > 0 && seconds <= maxRetryAfterSeconds;
  return outcomeOfError({
    status,
    description: isText(description) ? description : '',
    retryAfterMs: isWait ? seconds * 1_000 : retryAfterMs,
  });
}
