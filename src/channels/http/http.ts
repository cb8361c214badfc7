/**
 * Posts messages as JSON to the URL of a channel.
 *
 * Promises: every attempt of a message has the same `Idempotency-Key`. 2xx means delivered; 408, 425, 429 and 5xx are
 * retried; every other status is final.
 * Must never: reach an address that is not allowed, follow a redirect, or put parts of the URL, the credentials or the
 * message in a reason.
 */
import type { FieldProblem } from '../../base/errors.ts';
import type { DeliveryOutcome, FailureScope } from '../../domain/messages/delivery.ts';
import type { Reason } from '../../domain/events/actions.ts';
import type {
  AttemptTerms,
  Channel,
  ChannelSettings,
  Deliver,
  OutboundOptions,
  Probe,
} from '../channel.ts';
import { deliverySettings, ratesOf } from '../delivery-settings.ts';
import { regionSetting } from '../region-setting.ts';
import {
  createDestinationPolicy,
  guardedLookup,
  ipLiteralOf,
  DestinationNotAllowed,
} from '../ssrf-guard.ts';
import { openConnection, post, type PostResult } from './post.ts';
import { credentialsFor, credentialSettings, headerProblems } from './credentials.ts';
import { retryAfterMsOf } from './retry-after.ts';

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

type RetryParts = { scope: FailureScope; retryAfterMs?: number; isUnknown?: true };
const retry = (detail: string, more: RetryParts) =>
  ({
    kind: 'retry',
    reason: `${'destination_unavailable' satisfies Reason}:${detail}`,
    isUnknown: false,
    ...more,
  }) as const;

const notAllowed: DeliveryOutcome = {
  kind: 'dead',
  reason: 'destination_refused' satisfies Reason,
  scope: 'channel',
};

const retryableStatuses = new Set([408, 425, 429]);
/** About the URL or its credentials, so that every message would get them. */
const channelStatuses = new Set([401, 403, 404, 405, 407, 410]);

function scopeOf(status: number): FailureScope {
  if (status === 429) return 'rate';
  const isRedirect = status >= 300 && status < 400;
  return status >= 500 || isRedirect || channelStatuses.has(status) ? 'channel' : 'message';
}

function outcomeOf(result: PostResult, now: Date): DeliveryOutcome {
  if (result.kind === 'failed') return failureOf(result);
  const { status, retryAfter } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status < 500 && !retryableStatuses.has(status)) {
    return {
      kind: 'dead',
      reason: `${'destination_rejected' satisfies Reason}:${status}`,
      scope: scopeOf(status),
    };
  }
  const retryAfterMs = retryAfterMsOf(retryAfter, now);
  return retry(String(status), {
    scope: scopeOf(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function failureOf({ error, isSent }: Extract<PostResult, { kind: 'failed' }>): DeliveryOutcome {
  if (error instanceof DestinationNotAllowed) return notAllowed;
  const { code } = error as NodeJS.ErrnoException;
  const isTimeout = error.name === 'AbortError' || error.name === 'TimeoutError';
  // Only codes of Node and OpenSSL: a message may contain the URL.
  const detail = isTimeout ? 'timeout' : /^[A-Z0-9_]{1,60}$/.test(code ?? '') ? code : 'failed';
  return retry(detail ?? 'failed', { scope: 'channel', ...(isSent && { isUnknown: true }) });
}

/** What is posted: JSON, and an id that is the same in every attempt. */
type JsonPost = { readonly id: string; readonly content: object };

/** Returns a function that makes one attempt to post JSON to the URL of the settings. */
export function createJsonPost({ allowedDestinations, now }: OutboundOptions) {
  const policy = createDestinationPolicy(allowedDestinations);

  return async function postJson(
    { id, content }: JsonPost,
    settings: ChannelSettings,
    { timeoutMs, traceparent }: AttemptTerms,
  ): Promise<DeliveryOutcome> {
    const url = new URL(String(settings.url));
    const isReachable = policy(url);
    const literal = ipLiteralOf(url);
    if (literal !== null && !isReachable(literal)) return notAllowed;
    const seconds = Number(settings.timeoutSeconds ?? defaultTimeoutSeconds);
    const body = JSON.stringify(content);
    const result = await post({
      url,
      headers: {
        ...credentialsFor(settings, { id, body, now: now() }),
        'content-type': 'application/json',
        'user-agent': 'Inlet',
        'idempotency-key': id,
        ...(traceparent !== undefined && { traceparent }),
      },
      body,
      lookup: guardedLookup(isReachable),
      timeoutMs: Math.min(seconds * 1_000, timeoutMs),
    });
    return outcomeOf(result, now());
  };
}

function createDeliver(options: OutboundOptions): Deliver {
  const postJson = createJsonPost(options);
  return (message, settings, terms) =>
    postJson({ id: message.id, content: message }, settings, terms);
}

/** Connects, over TLS where the URL says so. Sends no request, because any could be taken for a message. */
function createProbe({ allowedDestinations }: OutboundOptions): Probe {
  const policy = createDestinationPolicy(allowedDestinations);

  return async function probe(settings, { timeoutMs }) {
    const url = new URL(String(settings.url));
    const isReachable = policy(url);
    const literal = ipLiteralOf(url);
    if (literal !== null && !isReachable(literal)) return notAllowed;
    const seconds = Number(settings.timeoutSeconds ?? defaultTimeoutSeconds);
    const error = await openConnection({
      url,
      lookup: guardedLookup(isReachable),
      timeoutMs: Math.min(seconds * 1_000, timeoutMs),
    });
    return error ? failureOf({ kind: 'failed', error, isSent: false }) : { kind: 'delivered' };
  };
}

const validateSettings = (
  settings: ChannelSettings,
  options: OutboundOptions,
): readonly FieldProblem[] => [...urlProblems(settings, options), ...headerProblems(settings)];

/** Scheme, host and port. */
function originOf({ url }: ChannelSettings): string | null {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
}

function urlProblems(settings: ChannelSettings, options: OutboundOptions): readonly FieldProblem[] {
  const problem = (message: string) => [{ path: '/url', message }];
  const text = String(settings.url);
  if (!URL.canParse(text)) return problem('is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return problem('must not contain credentials');
  const literal = ipLiteralOf(url);
  if (literal !== null && !createDestinationPolicy(options.allowedDestinations)(url)(literal)) {
    return problem('points to an address that is not allowed');
  }
  if (url.protocol === 'http:' && options.allowedDestinations.length === 0) {
    return problem('must be https');
  }
  return [];
}

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
    originOf,
    validateSettings,
  },
};
