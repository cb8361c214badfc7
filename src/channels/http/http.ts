/**
 * Messages are posted as JSON to a URL of the channel's own.
 *
 * Promises: the same `Idempotency-Key` however often a message is sent; 2xx means delivered, 408, 425, 429 and 5xx mean
 * not yet, everything else means no.
 * Must never: reach an address that the process may not reach, follow a redirect, or say anything of URL, credentials or
 * message in a reason.
 */
import type { FieldProblem } from '../../base/errors.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import type { Reason } from '../../domain/events/outcome.ts';
import type { Channel, ChannelSettings, Deliver, OutboundOptions } from '../channel.ts';
import { regionSetting } from '../region-setting.ts';
import {
  createDestinationPolicy,
  guardedLookup,
  ipLiteralOf,
  DestinationNotAllowed,
} from './ssrf-guard.ts';
import { post, type PostResult } from './post.ts';
import { credentialsFor, credentialSettings, headerProblems } from './credentials.ts';
import { retryAfterMsOf } from './retry-after.ts';

/** With its record it ends within the 16 s that a worker drains, after which MongoDB is closed. */
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
        'Where each message is posted; http only to what INLET_ALLOWED_DESTINATIONS has.',
    },
    timeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: maxTimeoutSeconds,
      description: `How long one attempt may take; ${defaultTimeoutSeconds} where it is not set.`,
    },
    onUnknown: {
      type: 'string',
      enum: ['resend', 'hold'],
      description:
        'When nobody knows whether a message arrived: send it again under the same Idempotency-Key (the default), or ' +
        'make it a dead letter for a person to decide.',
    },
    ...credentialSettings,
  },
  required: ['url'],
  additionalProperties: false,
} as const;

const retry = (detail: string, more: { retryAfterMs?: number; isUnknown?: true } = {}) =>
  ({
    kind: 'retry',
    reason: `${'destination_unavailable' satisfies Reason}:${detail}`,
    isUnknown: false,
    ...more,
  }) as const;

const refused: DeliveryOutcome = { kind: 'dead', reason: 'destination_refused' satisfies Reason };

const passing = new Set([408, 425, 429]);

function outcomeOf(posted: PostResult, now: Date): DeliveryOutcome {
  if (posted.kind === 'failed') return failureOf(posted);
  const { status, retryAfter } = posted;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status < 500 && !passing.has(status)) {
    return { kind: 'dead', reason: `${'destination_rejected' satisfies Reason}:${status}` };
  }
  const retryAfterMs = retryAfterMsOf(retryAfter, now);
  return retry(String(status), retryAfterMs === undefined ? {} : { retryAfterMs });
}

function failureOf({ error, isSent }: Extract<PostResult, { kind: 'failed' }>): DeliveryOutcome {
  if (error instanceof DestinationNotAllowed) return refused;
  const { code } = error as NodeJS.ErrnoException;
  const isLate = error.name === 'AbortError' || error.name === 'TimeoutError';
  // Words of Node and OpenSSL; a message may quote the URL.
  const detail = isLate ? 'timeout' : /^[A-Z0-9_]{1,60}$/.test(code ?? '') ? code : 'failed';
  return retry(detail ?? 'failed', isSent ? { isUnknown: true } : {});
}

function createDeliver({ allowedDestinations, now }: OutboundOptions): Deliver {
  const reach = createDestinationPolicy(allowedDestinations);

  return async function deliver(message, settings, withinMs) {
    const url = new URL(String(settings.url));
    const isReachable = reach(url);
    const literal = ipLiteralOf(url);
    if (literal !== null && !isReachable(literal)) return refused;
    const seconds = Number(settings.timeoutSeconds ?? defaultTimeoutSeconds);
    const body = JSON.stringify(message);
    const posted = await post({
      url,
      headers: {
        ...credentialsFor(settings, { id: message.id, body, now: now() }),
        'content-type': 'application/json',
        'user-agent': 'Inlet',
        'idempotency-key': message.id,
      },
      body,
      lookup: guardedLookup(isReachable),
      timeoutMs: Math.min(seconds * 1_000, withinMs),
    });
    return outcomeOf(posted, now());
  };
}

const problemsOf = (settings: ChannelSettings, terms: OutboundOptions): readonly FieldProblem[] => [
  ...urlProblems(settings, terms),
  ...headerProblems(settings),
];

function urlProblems(settings: ChannelSettings, terms: OutboundOptions): readonly FieldProblem[] {
  const refuse = (message: string) => [{ path: '/url', message }];
  const text = String(settings.url);
  if (!URL.canParse(text)) return refuse('is no URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuse('must not hold credentials');
  const literal = ipLiteralOf(url);
  if (literal !== null && !createDestinationPolicy(terms.allowedDestinations)(url)(literal)) {
    return refuse('leads to an address that messages may not be sent to');
  }
  if (url.protocol === 'http:' && terms.allowedDestinations.length === 0) {
    return refuse('must be https');
  }
  return [];
}

export const http: Channel = {
  kind: 'http',
  settingsSchema,
  outbound: { createDeliver, validateSettings: problemsOf },
};
