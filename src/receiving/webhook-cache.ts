/**
 * Caches webhooks by the SHA-256 of their path key.
 *
 * Promises: only active webhooks are cached, for 5 s; whether a request is a sample, held or rejected follows a fresh read.
 * A change by another process is noticed within about a second, because changes are polled by database time; a notice
 * over Redis makes it sooner, and without both the entry expires. An expired key is never served from the cache.
 * Must never: see the key itself.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import { createCache } from '../base/concurrency/cache.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

/** The webhook that a key belongs to. */
export type ResolvedKey = {
  readonly webhook: Webhook;
  readonly keyId: string;
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null;
};

/** Wrapped, because a cache stores objects only. */
type Entry = { readonly resolved: ResolvedKey | null };

type WebhookCacheDeps = {
  readonly webhooks: {
    findByKeyHash(hash: string, now: Date): Promise<ResolvedKey | null>;
    changedSince(since: Date | null): Promise<readonly { id: string; changedAt: Date }[]>;
  };
  readonly logger: Logger;
  readonly clock?: Clock;
};

export type WebhookCache = {
  /** Resolves to null for an unknown key. */
  readonly get: (keyHash: string) => Promise<ResolvedKey | null>;
  /** Returns the cached entry without a lookup; null when there is none. */
  readonly peek: (keyHash: string) => ResolvedKey | null;
  readonly invalidate: (webhookId: string) => void;
  /** Reads the changes made by other processes, and drops what they changed. Never rejects. */
  readonly poll: () => Promise<void>;
  readonly close: () => void;
};

const maxEntries = 10_000;
const ttlMs = 5_000;
const pollEveryMs = 1_000;
/** A change may become visible later than its timestamp says, so each poll reads this far back. */
const rereadMs = 10_000;

export function createWebhookCache({
  webhooks,
  logger,
  clock = systemClock,
}: WebhookCacheDeps): WebhookCache {
  const cache = createCache<Entry>({
    max: maxEntries,
    ttlMs,
    nowMs: () => clock.elapsedMs(),
    shouldCache: ({ resolved }) => resolved?.webhook.status === 'active',
    isFresh: ({ resolved }) => !resolved?.expiresAt || resolved.expiresAt > clock.now(),
    load: async (hash) => ({ resolved: await webhooks.findByKeyHash(hash, clock.now()) }),
  });
  const invalidate = (webhookId: string) =>
    cache.invalidate(({ resolved }) => resolved?.webhook._id === webhookId);

  let latest: Date | null = null;
  /** Changes that were handled within the time that is read again: webhook id → change time. */
  const handled = new Map<string, number>();
  let isPolling = false;

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    try {
      const changed = await webhooks.changedSince(latest && new Date(+latest - rereadMs));
      for (const { id, changedAt } of changed) {
        if (handled.get(id) !== +changedAt) invalidate(id);
        handled.set(id, +changedAt);
        if (!latest || changedAt > latest) latest = changedAt;
      }
      for (const [id, at] of handled) if (latest && at < +latest - 2 * rereadMs) handled.delete(id);
    } catch (error) {
      logger.debug({ err: error }, 'webhooks.poll_failed');
    } finally {
      isPolling = false;
    }
  }

  const timer = setInterval(() => void poll(), pollEveryMs);
  timer.unref();

  return {
    get: async (keyHash) => (await cache.get(keyHash)).resolved,
    peek: (keyHash) => cache.peek(keyHash)?.resolved ?? null,
    invalidate,
    poll,
    close: () => clearInterval(timer),
  };
}
