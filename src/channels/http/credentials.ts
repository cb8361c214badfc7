/**
 * The credentials of a message: fixed headers, or a signature of the body by https://www.standardwebhooks.com. Each attempt
 * is signed with its own time.
 */
import { createHmac } from 'node:crypto';
import type { FieldProblem } from '../../base/errors.ts';
import type { ChannelSettings } from '../channel.ts';

const visible = '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$';
const maxHeaders = 20;

/** `writeOnly` settings are encrypted at rest and never shown. */
export const credentialSettings = {
  authorization: {
    type: 'string',
    minLength: 1,
    maxLength: 4_000,
    pattern: visible,
    writeOnly: true,
    description: 'The `Authorization` header of each message, such as `Bearer …`.',
  },
  headers: {
    type: 'object',
    maxProperties: maxHeaders,
    propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$" },
    additionalProperties: { type: 'string', minLength: 1, maxLength: 4_000, pattern: visible },
    writeOnly: true,
    description: 'Further headers of each message, such as an API key.',
  },
  signingSecret: {
    type: 'string',
    pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$',
    writeOnly: true,
    description:
      'Signs each message by Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.',
  },
} as const;

/** Headers that each message or its connection sets. */
const reservedHeaders = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

/** Returns the problems of the extra headers. They do not name the header, which is a secret setting. */
export function headerProblems({ headers = {} }: ChannelSettings): readonly FieldProblem[] {
  const names = Object.keys(headers as object).map((name) => name.toLowerCase());
  if (names.some((name) => reservedHeaders.has(name))) {
    return [{ path: '/headers', message: 'field.own_header' }];
  }
  if (new Set(names).size < names.length) {
    return [{ path: '/headers', message: 'field.header_twice' }];
  }
  return [];
}

type SignedMessage = { readonly id: string; readonly body: string; readonly now: Date };

/** Returns the credential headers of one attempt. */
export function credentialsFor(
  { authorization, headers, signingSecret }: ChannelSettings,
  message: SignedMessage,
): Record<string, string> {
  return {
    ...(headers as Record<string, string> | undefined),
    ...(typeof authorization === 'string' && { authorization }),
    ...(typeof signingSecret === 'string' && signatureOf(signingSecret, message)),
  };
}

function signatureOf(secret: string, { id, body, now }: SignedMessage): Record<string, string> {
  const seconds = String(Math.floor(+now / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
}
