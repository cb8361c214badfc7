/** A webhook: a secret URL, the channel behind it, and how far its set-up has come. */
import type { AnswerSettings, HandshakeSettings, SignatureSettings } from './reception.ts';
import type { RetrySettings } from './retries.ts';

export const webhookStatuses = [
  'draft',
  'sampled',
  'mapped',
  'active',
  'paused',
  'archived',
] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** What a webhook asks of its sender, how it answers, and how patiently its events are tried; each part is off until it is set. */
export type WebhookSettings = {
  readonly signature?: SignatureSettings;
  readonly handshake?: HandshakeSettings;
  readonly answer?: AnswerSettings;
  readonly retries?: RetrySettings;
};

/** An older recipe of the event id that still recognises resends, until its overlap ends. */
export type DedupOverlap = { readonly version: number; readonly until: Date };

export type Webhook = {
  readonly _id: string;
  readonly name: string;
  readonly channelId: string;
  readonly producerProfile: string;
  readonly settings: WebhookSettings;
  readonly status: WebhookStatus;
  /** When the first sample arrived; null before. */
  readonly sampledAt: Date | null;
  readonly activeVersion: number | null;
  readonly lastVersion: number;
  readonly overlaps: readonly DedupOverlap[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Database time of the last change that a receiver must notice. */
  readonly changedAt: Date;
};

/** Before activation a payload is a sample; afterwards it is an event, at once or when resumed. */
export type Reception = 'sample' | 'event' | 'held' | 'refused';

export function receptionOf(status: WebhookStatus): Reception {
  if (status === 'active') return 'event';
  if (status === 'paused') return 'held';
  return status === 'archived' ? 'refused' : 'sample';
}

/** How long a resend is still known by the event-id recipe of the version before. */
export const dedupOverlapMs = 72 * 3_600_000;

/** The path key as stored: never the key itself. `hash` is its SHA-256. */
export type PathKey = {
  readonly _id: string;
  readonly webhookId: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

export const maxSamples = 200;

export type Sample = {
  readonly _id: string;
  readonly webhookId: string;
  readonly receivedAt: Date;
  readonly source: 'webhook' | 'manual';
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Buffer;
};
