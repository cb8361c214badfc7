/** A webhook: a secret URL, the channel behind it, and how far its set-up has come. */
import type { DedupSettings } from './dedup.ts';
import type {
  AnswerSettings,
  HandshakeSettings,
  SignatureSettings,
} from './verification-settings.ts';
import type { RetentionSettings } from './retention.ts';
import type { RetrySettings } from './retries.ts';
import type { AllowlistSettings, RateLimitSettings } from './source-policy.ts';

export const webhookStatuses = [
  'draft',
  'sampled',
  'mapped',
  'active',
  'paused',
  'archived',
] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/**
 * What a webhook asks of its sender, how it answers, how patiently its events are tried and how long they are known; each
 * part is off, or as usual, until it is set.
 */
export type WebhookSettings = {
  readonly signature?: SignatureSettings;
  readonly handshake?: HandshakeSettings;
  readonly answer?: AnswerSettings;
  readonly retries?: RetrySettings;
  readonly rateLimit?: RateLimitSettings;
  readonly allowlist?: AllowlistSettings;
  readonly dedup?: DedupSettings;
  readonly retention?: RetentionSettings;
};

/** An older recipe of the event id that still recognises resends, until its overlap ends. */
export type DedupOverlap = { readonly version: number; readonly until: Date };

/** An activation that is to happen at a time; it is whoever asked for it that did it then. */
export type Schedule = {
  readonly id: string;
  readonly at: Date;
  readonly version: number;
  /** Null: as the webhook's settings say. */
  readonly dedupOverlapHours: number | null;
  readonly by: { readonly tokenId: string; readonly name: string };
};

/** How many activations can be rolled back. */
export const maxFormerVersions = 20;

export type Webhook = {
  readonly _id: string;
  readonly name: string;
  readonly channelId: string;
  readonly producerProfile: string;
  readonly settings: WebhookSettings;
  /** When profile and settings were last set; absent until then. */
  readonly configuredAt?: Date | null;
  readonly status: WebhookStatus;
  /** When the first sample arrived; null before. */
  readonly sampledAt: Date | null;
  readonly activeVersion: number | null;
  readonly lastVersion: number;
  /** Those that were active before, the latest last. */
  readonly formerVersions?: readonly number[];
  readonly schedule?: Schedule | null;
  readonly overlaps: readonly DedupOverlap[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Database time of the last change that a receiver must notice. */
  readonly changedAt: Date;
};

/** Before activation a payload is a sample; afterwards it is an event, at once or when resumed. */
export type ReceptionMode = 'sample' | 'event' | 'held' | 'refused';

export function receptionModeOf(status: WebhookStatus): ReceptionMode {
  if (status === 'active') return 'event';
  if (status === 'paused') return 'held';
  return status === 'archived' ? 'refused' : 'sample';
}

export const maxOverlapHours = 168;
export const defaultOverlapHours = 48;

/** The path key as stored: never the key itself. `hash` is its SHA-256. Keys from before uses were counted have no counts. */
export type PathKey = {
  readonly _id: string;
  readonly webhookId: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Requests that came with it. Seconds late; what a process that was killed had not written down is not among them. */
  readonly uses?: number;
  /** What `uses` was when the webhook's keys were last rotated. */
  readonly usesBefore?: number;
  readonly lastUsedAt?: Date | null;
};

/** How often a key was used since it was last written down. */
export type KeyUse = { readonly keyId: string; readonly uses: number; readonly lastUsedAt: Date };

/** The newest are kept, and beside them those that somebody pinned. */
export const maxSamples = 200;
export const maxPinnedSamples = 50;

export type Sample = {
  readonly _id: string;
  readonly webhookId: string;
  readonly receivedAt: Date;
  readonly source: 'webhook' | 'manual';
  /** What a person calls it. */
  readonly name?: string | null;
  /** The place that it is pinned to; a pinned one is never pushed out by newer ones. */
  readonly pin?: number | null;
  /** The event that it was copied from: it must not become another. */
  readonly eventId?: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Buffer;
};
