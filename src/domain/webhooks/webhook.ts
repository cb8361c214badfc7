/** Webhooks, their path keys and their samples. */
import { Type, type Static, type TSchema } from 'typebox';
import { name, strictObject } from '../schemas.ts';
import { dedupSettings } from './dedup.ts';
import { retentionSettings } from './retention.ts';
import { retrySettings } from './retries.ts';
import { allowlistSettings, rateLimitSettings } from './source-policy.ts';
import { answerSettings, handshakeSettings, signatureSettings } from './verification-settings.ts';

export const webhookStatuses = [
  'draft',
  'sampled',
  'mapped',
  'active',
  'paused',
  'archived',
] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Settings of a webhook. Each part is absent until it is set; the default applies then. */
export const webhookSettings = strictObject({
  signature: Type.Optional(signatureSettings),
  handshake: Type.Optional(handshakeSettings),
  answer: Type.Optional(answerSettings),
  answersGet: Type.Optional(
    Type.Boolean({
      description:
        'Answer a GET with 200, which some senders send before they accept a URL. It stores nothing. A HEAD is always answered.',
    }),
  ),
  retries: Type.Optional(retrySettings),
  rateLimit: Type.Optional(rateLimitSettings),
  allowlist: Type.Optional(allowlistSettings),
  dedup: Type.Optional(dedupSettings),
  retention: Type.Optional(retentionSettings),
  allowEmptyPerson: Type.Optional(
    Type.Boolean({
      description:
        'Whether an event makes a contact when name, phone and e-mail are mapped and empty; default true for `hubspot`, which sends the fields of a person one by one, otherwise false: the event is dead with `person_empty`.',
    }),
  ),
});
export type WebhookSettings = Readonly<Static<typeof webhookSettings>>;

/** A former event id recipe that still recognises resends until its grace period ends. */
type DedupOverlap = { readonly version: number; readonly until: Date };

/** A scheduled activation. The audit log names the person who scheduled it. */
export type Schedule = {
  readonly id: string;
  readonly at: Date;
  readonly version: number;
  /** Null: the webhook's setting applies. */
  readonly dedupOverlapHours: number | null;
  readonly by: { readonly tokenId: string; readonly name: string };
};

/** Number of activations that can be rolled back. */
export const maxFormerVersions = 20;

/**
 * The plain fields of a webhook: nothing else depends on them. Creation and change accept them, and the type, the view, the audit
 * log and the configuration files have them, all from this list. One beside the name is `Type.Optional`, with a `default` for the
 * webhooks that are stored without it.
 */
export const webhookFields = strictObject({ name });
export type WebhookFields = Readonly<Static<typeof webhookFields>>;

/** Returns the plain fields, with their defaults. */
export const webhookFieldsOf = (given: WebhookFields): Required<WebhookFields> =>
  Object.fromEntries(
    Object.entries<TSchema & { readonly default?: unknown }>(webhookFields.properties).map(
      ([field, schema]) => [field, given[field as keyof WebhookFields] ?? schema.default],
    ),
  ) as Required<WebhookFields>;

export type Webhook = WebhookFields & {
  readonly _id: string;
  readonly channelId: string;
  readonly producerProfile: string;
  readonly settings: WebhookSettings;
  /** When profile and settings were last changed. */
  readonly configuredAt?: Date | null;
  readonly status: WebhookStatus;
  /** When the first sample arrived. */
  readonly sampledAt: Date | null;
  readonly activeVersion: number | null;
  readonly lastVersion: number;
  /** Formerly active versions, newest last. */
  readonly formerVersions: readonly number[];
  readonly schedule?: Schedule | null;
  readonly overlaps: readonly DedupOverlap[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Database time of the last change that receivers must reload. */
  readonly changedAt: Date;
};

/**
 * How an inbound request is handled: before activation as a sample, then as an event, which is held while the
 * webhook is paused.
 */
type ReceptionMode = 'sample' | 'event' | 'held' | 'rejected';

export function receptionModeOf(status: WebhookStatus): ReceptionMode {
  if (status === 'active') return 'event';
  if (status === 'paused') return 'held';
  return status === 'archived' ? 'rejected' : 'sample';
}

export const maxOverlapHours = 168;
export const defaultKeyOverlapHours = 48;

/** A stored path key, without the key itself. `hash` is its SHA-256. */
export type PathKey = {
  readonly _id: string;
  readonly webhookId: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Number of requests with this key. Some seconds late; a killed process may lose its last counts. */
  readonly uses: number;
  /** Value of `uses` at the last rotation. */
  readonly usesBefore: number;
  readonly lastUsedAt: Date | null;
};

/** Uses of a key since the last write. */
export type KeyUse = { readonly keyId: string; readonly uses: number; readonly lastUsedAt: Date };

/** Number of samples that a webhook keeps, beside pinned ones. */
export const maxSamples = 200;
export const maxPinnedSamples = 50;

export type Sample = {
  readonly _id: string;
  readonly webhookId: string;
  readonly receivedAt: Date;
  readonly source: 'webhook' | 'manual';
  /** Name that a person gave it. */
  readonly name?: string | null;
  /** Slot of a pinned sample. Pinned samples are not evicted. */
  readonly pin?: number | null;
  /** Id of the event that it was copied from. It is not turned into an event again. */
  readonly eventId?: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** The versions whose dedup recipe still recognises resends, beside that of the active one. */
export const versionsInGrace = ({ overlaps }: Pick<Webhook, 'overlaps'>, now: Date): number[] =>
  overlaps.filter(({ until }) => until > now).map(({ version }) => version);
