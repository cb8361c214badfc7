/**
 * Receipts: what became of a request, asked for by its sender with the webhook's own key.
 *
 * Promises: an event is found exactly where a resend of it would be recognised, so "not found" means that sending it again
 * creates a new event. A receipt covers events of the key's own webhook only, by their whole id or body.
 */
import { AppError, orNotFound } from '../base/errors.ts';
import { effectIdsOf, type EventState } from '../domain/events/event.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { dedupKeysForId } from '../mapping/evaluation/dedup-keys.ts';
import type { ReceiptEvent } from '../store/events/receipts.ts';
import { authenticate } from './authenticate.ts';
import type { Receiving } from './receiving.ts';
import type { SenderRequest } from './sender-request.ts';
import { requireAllowedAddress } from './source-policy.ts';

/** An event by its external id, or by the SHA-256 of its whole body in lower-case hex. */
export type ReceiptQuery = { readonly externalId: string } | { readonly bodySha256: string };

type Receipt = {
  readonly externalId: string | null;
  readonly eventId: string;
  readonly state: EventState;
  /** Inbound requests with this event; the first counts. */
  readonly deliveries: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly contactId: string | null;
  readonly chatId: string | null;
  readonly messageId: string | null;
  /** By body only: how many events have this body. This is the newest of them. 100 means at least 100. */
  readonly count?: number;
};

/** Enough for a webhook on one server to check an hour's outage in minutes. */
const rate = { burst: 100, everyMs: 100 };

/**
 * Returns the receipt of an event. A null `query` cannot match. Throws `invalid_key`, `source_not_allowed`, `rate_limited`
 * and `not_found`.
 */
export async function readReceipt(
  receiving: Receiving,
  request: SenderRequest,
  query: ReceiptQuery | null,
): Promise<Receipt> {
  const webhook = await authenticate(receiving, request);
  request.log.webhookId = webhook._id;
  requireAllowedAddress(receiving.sourcePolicy, webhook, request.clientAddress);
  const { retryAfterMs, ...quota } = receiving.receiptRates.take(webhook._id, rate);
  if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs, quota });
  const receipt = orNotFound(query && (await findReceipt(receiving, webhook, query)));
  request.log.eventId = receipt.eventId;
  return receipt;
}

function findReceipt(
  receiving: Receiving,
  webhook: Webhook,
  query: ReceiptQuery,
): Promise<Receipt | null> {
  return 'externalId' in query
    ? findByExternalId(receiving, webhook, query.externalId)
    : findByBody(receiving, webhook, query.bodySha256);
}

async function findByBody(
  { events }: Receiving,
  webhook: Webhook,
  bodySha256: string,
): Promise<Receipt | null> {
  const found = await events.findByBody(webhook._id, bodySha256);
  return found[0] ? { ...receiptOf(found[0]), count: found.length } : null;
}

/** Prefers the active recipe over older ones in their grace period, and of each recipe the newest event. */
async function findByExternalId(
  { events, mappings }: Receiving,
  webhook: Webhook,
  externalId: string,
): Promise<Receipt | null> {
  const keys = dedupKeysForId(await mappings.of(webhook), externalId);
  if (keys.length === 0) return null;
  const found = await events.findByDedupKeys(webhook._id, keys);
  const newestFirst = found.toSorted((one, other) => +other.receivedAt - +one.receivedAt);
  const byRecipe = keys.flatMap((key) =>
    newestFirst.filter((event) => event.dedupKeys?.includes(key)),
  );
  return byRecipe[0] ? receiptOf(byRecipe[0]) : null;
}

const noEffects = { contactId: null, chatId: null, messageId: null };

const receiptOf = (event: ReceiptEvent): Receipt => ({
  externalId: event.externalId,
  eventId: event._id,
  state: event.state,
  deliveries: event.deliveries,
  firstSeenAt: event.receivedAt,
  lastSeenAt: event.lastSeenAt,
  ...(effectIdsOf(event) ?? noEffects),
});
