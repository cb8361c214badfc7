/** Signature schemes of producers, as they document them. Other schemes are set by hand in the same form. */
import type { HmacScheme, SignatureScheme } from '../../domain/webhooks/verification-settings.ts';

/** HMAC-SHA256 of the body in hex, the most common scheme. */
const hex = (header: string, rest: Partial<HmacScheme> = {}): HmacScheme => ({
  kind: 'hmac',
  header,
  algorithm: 'sha256',
  encoding: 'hex',
  ...rest,
});

const base64 = (header: string, rest: Partial<HmacScheme> = {}): HmacScheme =>
  hex(header, { encoding: 'base64', ...rest });

/** Stripe's header of pairs, which other producers use too. */
const pairs = (header: string): HmacScheme =>
  hex(header, { field: 'v1', timestamp: { field: 't' }, signed: '{timestamp}.{body}' });

const standard = (prefix: string): HmacScheme =>
  base64(`${prefix}-signature`, {
    prefix: 'v1,',
    separator: ' ',
    timestamp: { header: `${prefix}-timestamp` },
    id: { header: `${prefix}-id` },
    signed: '{id}.{timestamp}.{body}',
    secretEncoding: 'base64',
    secretPrefix: 'whsec_',
  });

export const signaturePresets = {
  'standard-webhooks': standard('webhook'),
  svix: standard('svix'),
  calendly: pairs('calendly-webhook-signature'),
  chatwoot: hex('x-chatwoot-signature', {
    prefix: 'sha256=',
    timestamp: { header: 'x-chatwoot-timestamp' },
    signed: '{timestamp}.{body}',
  }),
  'cloudflare-email': { kind: 'token', from: { header: 'x-mail-secret' } },
  close: hex('close-sig-hash', {
    timestamp: { header: 'close-sig-timestamp' },
    signed: '{timestamp}{body}',
    secretEncoding: 'hex',
  }),
  crisp: hex('x-crisp-signature', {
    timestamp: { header: 'x-crisp-request-timestamp' },
    signed: '[{timestamp};{body}]',
  }),
  'customer-io': hex('x-cio-signature', {
    timestamp: { header: 'x-cio-timestamp' },
    signed: 'v0:{timestamp}:{body}',
  }),
  github: hex('x-hub-signature-256', { prefix: 'sha256=' }),
  hotmart: { kind: 'token', from: { header: 'x-hotmart-hottok' } },
  'hubspot-v1': {
    kind: 'hash',
    header: 'x-hubspot-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    signed: '{secret}{body}',
  },
  'hubspot-v2': {
    kind: 'hash',
    header: 'x-hubspot-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    signed: '{secret}{method}{url}{body}',
  },
  'hubspot-v3': base64('x-hubspot-signature-v3', {
    timestamp: { header: 'x-hubspot-request-timestamp' },
    signed: '{method}{url}{body}{timestamp}',
  }),
  intercom: hex('x-hub-signature', { algorithm: 'sha1', prefix: 'sha1=' }),
  mailgun: {
    kind: 'fields',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: 'signature',
    timestamp: 'timestamp',
    token: 'token',
  },
  mautic: base64('webhook-signature'),
  meta: hex('x-hub-signature-256', { prefix: 'sha256=' }),
  nuvemshop: hex('x-linkedstore-hmac-sha256'),
  paddle: hex('paddle-signature', {
    field: 'h1',
    separator: ';',
    timestamp: { field: 'ts' },
    signed: '{timestamp}:{body}',
  }),
  segment: hex('x-signature', { algorithm: 'sha1' }),
  shopify: base64('x-shopify-hmac-sha256'),
  slack: hex('x-slack-signature', {
    prefix: 'v0=',
    timestamp: { header: 'x-slack-request-timestamp' },
    signed: 'v0:{timestamp}:{body}',
  }),
  stripe: pairs('stripe-signature'),
  telegram: { kind: 'token', from: { header: 'x-telegram-bot-api-secret-token' } },
  twilio: base64('x-twilio-signature', { algorithm: 'sha1', signed: '{url}{params}' }),
  typeform: base64('typeform-signature', { prefix: 'sha256=' }),
  waha: hex('x-webhook-hmac', { algorithm: 'sha512' }),
  webflow: hex('x-webflow-signature', {
    timestamp: { header: 'x-webflow-timestamp' },
    signed: '{timestamp}:{body}',
  }),
  zendesk: base64('x-zendesk-webhook-signature', {
    timestamp: { header: 'x-zendesk-webhook-signature-timestamp' },
    signed: '{timestamp}{body}',
  }),
} satisfies Record<string, SignatureScheme>;

export type SignaturePreset = keyof typeof signaturePresets;

/** Returns null for an unknown name. */
export const signaturePreset = (name: string): SignatureScheme | null =>
  Object.entries(signaturePresets).find(([preset]) => preset === name)?.[1] ?? null;
