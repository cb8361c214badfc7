/**
 * From a path key to its webhook.
 *
 * Promises: only "active" is remembered (5 s); whether a payload is a sample, held or refused always follows a fresh
 * read. A change made elsewhere is noticed within about a second, because changes are polled by database time; where a
 * notice of it comes sooner, at once; where neither comes, when the five seconds are over. A key that has expired is never
 * remembered.
 * Must never: see the key itself; it is looked up by its SHA-256.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { createCache } from '../base/concurrency/cache.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

export type ResolvedKey = {
  readonly webhook: Webhook;
  readonly keyId: string;
  /** When the key expires; null: never. */
  readonly expiresAt: Date | null;
};
type Lookup = { readonly found: ResolvedKey | null };

export type WebhookCacheDeps = {
  readonly webhooks: {
    findByKeyHash(hash: string, now: Date): Promise<ResolvedKey | null>;
    changedSince(since: Date | null): Promise<readonly { id: string; changedAt: Date }[]>;
  };
  readonly logger: Logger;
  readonly clock?: Clock;
};

export type WebhookCache = {
  readonly get: (keyHash: string) => Promise<ResolvedKey | null>;
  /** What is remembered, without a look. */
  readonly peek: (keyHash: string) => ResolvedKey | null;
  readonly forget: (webhookId: string) => void;
  /** Looks once for changes made by other processes. */
  readonly poll: () => Promise<void>;
  readonly close: () => void;
};

const rememberedForMs = 5_000;
const pollEveryMs = 1_000;
/** A change may become visible later than its time says: it is looked for again this much later. */
const overlapMs = 10_000;

export function createWebhookCache({
  webhooks,
  logger,
  clock = systemClock,
}: WebhookCacheDeps): WebhookCache {
  const memo = createCache<Lookup>({
    max: 10_000,
    ttlMs: rememberedForMs,
    nowMs: () => clock.elapsedMs(),
    shouldCache: ({ found }) => found?.webhook.status === 'active',
    isFresh: ({ found }) => !found?.expiresAt || found.expiresAt > clock.now(),
    load: async (hash) => ({ found: await webhooks.findByKeyHash(hash, clock.now()) }),
  });
  const forget = (webhookId: string) =>
    memo.invalidate(({ found }) => found?.webhook._id === webhookId);

  let latest: Date | null = null;
  const seen = new Map<string, number>();
  let polling = false;

  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    try {
      const changed = await webhooks.changedSince(latest && new Date(+latest - overlapMs));
      for (const { id, changedAt } of changed) {
        if (seen.get(id) !== +changedAt) forget(id);
        seen.set(id, +changedAt);
        if (!latest || changedAt > latest) latest = changedAt;
      }
      for (const [id, at] of seen) if (latest && at < +latest - 2 * overlapMs) seen.delete(id);
    } catch (error) {
      logger.debug({ err: error }, 'webhooks.poll_failed');
    } finally {
      polling = false;
    }
  }

  const timer = setInterval(() => void poll(), pollEveryMs);
  timer.unref();

  return {
    get: async (keyHash) => (await memo.get(keyHash)).found,
    peek: (keyHash) => memo.peek(keyHash)?.found ?? null,
    forget,
    poll,
    close: () => clearInterval(timer),
  };
}
