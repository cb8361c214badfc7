/**
 * Posts messages as JSON to the URL of a channel.
 *
 * Promises: every attempt of a message has the same `Idempotency-Key`. 2xx means delivered; 408, 425, 429 and 5xx are
 * retried, and after one of a gateway it is unknown whether the message arrived; every other status is final.
 * Must never: reach an address that is not allowed, follow a redirect, or put parts of the URL, the credentials or the
 * message in a reason.
 */
import type { FieldProblem } from '../../base/errors.ts';
import type { DeliveryOutcome, FailureScope } from '../../domain/messages/delivery.ts';
import type {
  AttemptTerms,
  Channel,
  ChannelSettings,
  Deliver,
  OutboundOptions,
  Probe,
} from '../channel.ts';
import { deliverySettings, ratesOf, regionSetting, originIn } from '../delivery-settings.ts';
import { addressRefused, hidesResult, rejected, retryLater } from '../outcomes.ts';
import { guardedLookup } from '../ssrf-guard.ts';
import {
  connectionFailure,
  createDestinationCall,
  createUrlCheck,
  isAccepted,
  urlProblems,
  type DestinationAnswer,
} from './call-destination.ts';
import { credentialsFor, credentialSettings, headerProblems } from './credentials.ts';
import { openConnection } from './send-request.ts';

/** The attempt and its record must end within the 16 s that a worker drains before MongoDB is closed. */
const maxTimeoutSeconds = 14;
const defaultTimeoutSeconds = 10;

const settingsSchema = {
  type: 'object',
  properties: {
    region: regionSetting,
    url: {
      type: 'string',
      pattern: '^https?://',
      maxLength: 2_000,
      description:
        'Where each message is posted; http only to the ranges of INLET_ALLOWED_DESTINATIONS.',
    },
    timeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: maxTimeoutSeconds,
      description: `How long one attempt may take; ${defaultTimeoutSeconds} by default.`,
    },
    ...deliverySettings('native'),
    ...credentialSettings,
  },
  required: ['url'],
  additionalProperties: false,
} as const;

const retryableStatuses = new Set([408, 425, 429]);
/** About the URL or its credentials, so that every message would get them. */
const channelStatuses = new Set([401, 403, 404, 405, 407, 410]);

function scopeOf(status: number): FailureScope {
  if (status === 429) return 'rate';
  const isRedirect = status >= 300 && status < 400;
  return status >= 500 || isRedirect || channelStatuses.has(status) ? 'channel' : 'message';
}

function outcomeOf(answer: DestinationAnswer): DeliveryOutcome {
  if (isAccepted(answer)) return { kind: 'delivered' };
  const { status, retryAfterMs } = answer;
  const scope = scopeOf(status);
  return status < 500 && !retryableStatuses.has(status)
    ? rejected(status, scope)
    : retryLater(status, { scope, retryAfterMs, isUnknown: hidesResult(status) });
}

/** What is posted: JSON, and an id that is the same in every attempt. */
type JsonPost = { readonly id: string; readonly content: object };

/** Returns a function that makes one attempt to post JSON to the URL of the settings. */
export function createJsonPost(options: OutboundOptions) {
  const call = createDestinationCall(options);

  return async function postJson(
    { id, content }: JsonPost,
    settings: ChannelSettings,
    { timeoutMs, traceparent }: AttemptTerms,
  ): Promise<DeliveryOutcome> {
    const body = JSON.stringify(content);
    const result = await call({
      url: new URL(String(settings.url)),
      headers: {
        ...credentialsFor(settings, { id, body, now: options.now() }),
        'idempotency-key': id,
        ...(traceparent !== undefined && { traceparent }),
      },
      body,
      timeoutMs: timeoutOf(settings, timeoutMs),
    });
    return result.kind === 'failed' ? result.outcome : outcomeOf(result);
  };
}

const timeoutOf = ({ timeoutSeconds }: ChannelSettings, timeoutMs: number): number =>
  Math.min(Number(timeoutSeconds ?? defaultTimeoutSeconds) * 1_000, timeoutMs);

function createDeliver(options: OutboundOptions): Deliver {
  const postJson = createJsonPost(options);
  return (message, settings, terms) =>
    postJson({ id: message.id, content: message }, settings, terms);
}

/** Connects, over TLS where the URL says so. Sends no request, because any could be taken for a message. */
function createProbe({ allowedDestinations }: OutboundOptions): Probe {
  const reachableOf = createUrlCheck(allowedDestinations);

  return async function probe(settings, { timeoutMs }) {
    const url = new URL(String(settings.url));
    const isReachable = reachableOf(url);
    if (!isReachable) return addressRefused;
    const error = await openConnection({
      url,
      lookup: guardedLookup(isReachable),
      timeoutMs: timeoutOf(settings, timeoutMs),
    });
    return error ? connectionFailure({ error, isSent: false }) : { kind: 'delivered' };
  };
}

const validateSettings = (
  settings: ChannelSettings,
  options: OutboundOptions,
): readonly FieldProblem[] => [
  ...urlProblems(settings, 'url', options),
  ...headerProblems(settings),
];

export const http: Channel = {
  kind: 'http',
  settingsSchema,
  outbound: {
    capabilities: {
      reaches: 'system',
      media: true,
      templates: false,
      windowHours: null,
      replies: false,
    },
    idempotency: 'native',
    ratesOf,
    sendsEventMessages: () => true,
    createDeliver,
    createProbe,
    originOf: ({ url }) => originIn(url),
    validateSettings,
  },
};
