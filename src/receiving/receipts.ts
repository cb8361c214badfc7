/**
 * Receipts: what became of something that a sender has sent, asked for with its own key.
 *
 * Promises: an event is found exactly where a resend of it would be recognised, so that "not found" means that sending
 * again makes a new one; nothing but events of the key's own webhook can be found, and only by their whole id or body.
 */
import { createTokenBucket } from '../base/rate-limit/token-bucket.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { EventState } from '../domain/events/event.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { dedupKeysForId } from '../mapping/evaluation/dedup-keys.ts';
import type { ReceiptEvent } from '../store/event-queries/receipts.ts';
import type { EventStore } from '../store/events/events.ts';
import type { EffectiveMappings } from './effective-mappings.ts';

/** An event by what its sender calls it, or by the SHA-256 of its whole body where it has no name. */
export type ReceiptQuery = { readonly externalId: string } | { readonly bodySha256: string };

export type Receipt = {
  readonly externalId: string | null;
  readonly eventId: string;
  readonly state: EventState;
  /** The first counts. */
  readonly deliveries: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly contactId: string | null;
  readonly chatId: string | null;
  readonly messageId: string | null;
  /** By body alone: how many events came with it, this newest one included; a hundred means at least so many. */
  readonly count?: number;
};

export type ReceiptDeps = {
  readonly events: Pick<EventStore, 'sentAs' | 'sentWith'>;
  readonly mappings: EffectiveMappings;
  readonly clock?: Clock;
};

/** Enough to go through an hour's outage in minutes, for a webhook on one server. */
const rate = { burst: 100, everyMs: 100 };
const maxRemembered = 20_000;

export function createReceipts({ events, mappings, clock = systemClock }: ReceiptDeps) {
  const buckets = createTokenBucket({ max: maxRemembered, nowMs: () => clock.elapsedMs() });

  /** Null where there is nothing; throws `rate_limited`. */
  return async function findReceipt(
    webhook: Webhook,
    wanted: ReceiptQuery | null,
  ): Promise<Receipt | null> {
    const { retryAfterMs, ...quota } = buckets.take(webhook._id, rate);
    if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs, quota });
    if (wanted === null) return null;
    if ('externalId' in wanted) return byId(webhook, wanted.externalId);
    const found = await events.sentWith(webhook._id, wanted.bodySha256);
    return found[0] ? { ...receiptOf(found[0]), count: found.length } : null;
  };

  /** The recipe that is active now comes first, then those whose overlap is open; of each the newest event. */
  async function byId(webhook: Webhook, externalId: string): Promise<Receipt | null> {
    const keys = dedupKeysForId(await mappings.of(webhook), externalId);
    if (keys.length === 0) return null;
    const sent = await events.sentAs(webhook._id, keys);
    const found = sent.toSorted((one, other) => +other.receivedAt - +one.receivedAt);
    const first = keys.flatMap((key) => found.filter((event) => event.dedupKeys?.includes(key)));
    return first[0] ? receiptOf(first[0]) : null;
  }
}

const receiptOf = (event: ReceiptEvent): Receipt => ({
  externalId: event.externalId,
  eventId: event._id,
  state: event.state,
  deliveries: event.deliveries,
  firstSeenAt: event.receivedAt,
  lastSeenAt: event.lastSeenAt,
  contactId: event.effects?.contactId ?? null,
  chatId: event.effects?.chatId ?? null,
  messageId: event.effects?.messageId ?? null,
});
