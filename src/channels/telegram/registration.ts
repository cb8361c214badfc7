/**
 * Registers the URL of a webhook at Telegram, and reads what is registered there.
 *
 * Must never: return a URL, a token or a secret as a part of what Telegram says.
 */
import { isJsonObject, isText, jsonObjectIn } from '../../base/json/json-values.ts';
import type {
  ChannelSettings,
  OutboundOptions,
  RegisteredUrl,
  Registration,
  RegisterResult,
} from '../channel.ts';
import {
  createDestinationCall,
  isAccepted,
  type DestinationAnswer,
} from '../http/call-destination.ts';
import { methodUrl } from './settings.ts';
import { errorOf } from './api-errors.ts';

const maxSaidLength = 300;

/** Returns Telegram's sentence without URLs and any of the given texts; null when there is none. */
function saidIn(value: unknown, secrets: readonly string[]): string | null {
  if (!isText(value) || value === '') return null;
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), value);
  // It may also name a URL that was registered before.
  return hidden.replaceAll(/https?:\/\/\S+/gi, '…').slice(0, maxSaidLength);
}

const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

function createRegister(options: OutboundOptions): Registration['register'] {
  const call = createDestinationCall(options);

  return async function register(
    settings,
    { url, secret },
    { timeoutMs },
  ): Promise<RegisterResult> {
    const result = await call({
      url: methodUrl(settings, 'setWebhook'),
      body: JSON.stringify({ url, secret_token: secret, allowed_updates: ['message'] }),
      timeoutMs,
    });
    if (result.kind === 'failed') return failureOf(result.outcome, null);
    const secrets = [url, lastSegment(url), secret, String(settings.botToken)];
    const said = saidIn(jsonObjectIn(result.body).description, secrets);
    return isAccepted(result) ? { kind: 'registered', said } : failureOf(errorOf(result), said);
  };
}

function failureOf(outcome: ReturnType<typeof errorOf>, said: string | null): RegisterResult {
  if (outcome.kind === 'delivered') return { kind: 'registered', said };
  const isUnknown = outcome.kind === 'retry' && outcome.isUnknown;
  return { kind: isUnknown ? 'unknown' : 'failed', reason: outcome.reason, said };
}

const dateOf = (seconds: unknown): Date | null =>
  Number.isSafeInteger(seconds) && Number(seconds) > 0 ? new Date(Number(seconds) * 1_000) : null;

function registeredIn({ body }: DestinationAnswer, { botToken }: ChannelSettings): RegisteredUrl {
  const { result } = jsonObjectIn(body);
  const info = isJsonObject(result) ? result : {};
  const url = isText(info.url) && info.url !== '' ? info.url : null;
  const pending = info.pending_update_count;
  const secrets = [...(url === null ? [] : [url, lastSegment(url)]), String(botToken)];
  return {
    url,
    pending: Number.isSafeInteger(pending) ? Math.max(0, Number(pending)) : 0,
    lastErrorAt: dateOf(info.last_error_date),
    lastError: saidIn(
      info.last_error_message,
      secrets.filter((secret) => secret !== ''),
    ),
  };
}

function createRead(options: OutboundOptions): Registration['read'] {
  const call = createDestinationCall(options);

  return async function read(settings, { timeoutMs }) {
    const result = await call({ url: methodUrl(settings, 'getWebhookInfo'), timeoutMs });
    if (result.kind === 'failed') return result.outcome;
    return isAccepted(result) ? registeredIn(result, settings) : errorOf(result);
  };
}

export const createRegistration = (options: OutboundOptions): Registration => ({
  register: createRegister(options),
  read: createRead(options),
});
