/**
 * Caches webhooks by the SHA-256 of their path key.
 *
 * Promises: active webhooks are cached until 5 s after the last poll of changes; whether a request is a sample or held follows a
 * fresh read. Keys that are unknown, revoked, expired or of an archived webhook are cached for 5 s, apart, so that they evict no
 * active one. Concurrent lookups of one iteration of the event loop share a statement. A change by another process is noticed within
 * about a second by the poll; an invalidation over Redis makes it sooner, and without both the entry expires. An expired key is
 * never served from the cache.
 * Must never: see the key itself.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { atMost, createCache } from '../base/concurrency/cache.ts';
import { startChangePoll } from '../base/concurrency/change-poll.ts';
import { gatherLoads } from '../base/concurrency/gather-loads.ts';
import type { Logger } from '../base/observability/logger.ts';
import { receptionModeOf, type Webhook } from '../domain/webhooks/webhook.ts';
import type { Db } from '../store/db/connection.ts';
import { findWebhooksByKeyHashes, listChangedWebhooks } from '../store/webhooks/webhooks.ts';

/** The webhook that a key belongs to. */
export type ResolvedKey = {
  readonly webhook: Webhook;
  readonly keyId: string;
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null;
};

/** Wrapped, because a cache stores objects only. */
type Entry = { readonly hash: string; readonly resolved: ResolvedKey | null };

type WebhookCacheDeps = Db & { readonly logger: Logger };

/** More than 10,000 webhooks, some of them with two keys. */
const maxEntries = 12_000;
const maxRejected = 10_000;
const ttlMs = 5_000;
/** In case a change became visible only after the polls that read its time. */
const maxAgeMs = 300_000;

export type WebhookCache = ReturnType<typeof createWebhookCache>;

export function createWebhookCache(ctx: WebhookCacheDeps) {
  const { logger, clock } = ctx;
  const rejected = createRejectedKeys(clock);
  const find = gatherLoads((hashes) => findWebhooksByKeyHashes(ctx, hashes, clock.now()));
  const cache = createCache<Entry>({
    max: maxEntries,
    ttlMs,
    maxAgeMs,
    nowMs: () => clock.elapsedMs(),
    shouldCache,
    isFresh: ({ resolved }) => !resolved?.expiresAt || resolved.expiresAt > clock.now(),
    load: async (hash) => ({ hash, resolved: (await find(hash)) ?? null }),
  });

  /** Called with each loaded entry that no change has overtaken. */
  function shouldCache({ resolved, hash }: Entry): boolean {
    const webhookId = resolved?.webhook._id ?? null;
    if (!isAcceptedKey(resolved)) rejected.add(hash, webhookId);
    return resolved?.webhook.status === 'active';
  }

  function invalidateAll(ids: ReadonlySet<string>): void {
    cache.invalidate(({ resolved }) => !!resolved && ids.has(resolved.webhook._id));
    rejected.delete(ids);
  }

  function invalidateEverything(): void {
    cache.invalidate();
    rejected.clear();
  }

  const { poll, close } = startChangePoll({
    changedSince: (since, limit) => listChangedWebhooks(ctx, since, limit),
    isIdle: () => cache.isIdle() && rejected.isEmpty(),
    onChange: (ids) => (ids === 'all' ? invalidateEverything() : invalidateAll(ids)),
    onCurrent: (atMs) => cache.confirm(atMs),
    onError: (err) => logger.debug({ err }, 'webhooks.poll_failed'),
    clock,
  });

  return {
    /** Resolves to null for an unknown key. */
    get: async (keyHash: string): Promise<ResolvedKey | null> =>
      (await cache.get(keyHash)).resolved,
    /** Returns the cached entry without a lookup; null when there is none. */
    peek: (keyHash: string): ResolvedKey | null => cache.peek(keyHash)?.resolved ?? null,
    /** Whether a lookup of the last 5 s found no webhook that accepts requests. */
    isRejected: rejected.has,
    invalidate: (webhookId: string): void => invalidateAll(new Set([webhookId])),
    /** Reads the changes made by other processes, and drops what they changed. Never rejects. */
    poll,
    close,
  };
}

/** Whether the key is valid and its webhook accepts requests: all but archived ones do. */
export const isAcceptedKey = (resolved: ResolvedKey | null): resolved is ResolvedKey =>
  resolved !== null && receptionModeOf(resolved.webhook.status) !== 'rejected';

/** Keys that were rejected, for 5 s, with the webhook that they belong to, if any. */
function createRejectedKeys(clock: Clock) {
  const keys = new LRUCache<string, { readonly webhookId: string | null }>({
    ...atMost(maxRejected),
    ttl: ttlMs,
    perf: { now: () => clock.elapsedMs() },
    ttlResolution: 0,
  });
  return {
    add: (hash: string, webhookId: string | null) => void keys.set(hash, { webhookId }),
    has: (hash: string): boolean => keys.has(hash),
    clear: () => keys.clear(),
    delete(webhookIds: ReadonlySet<string>): void {
      for (const [hash, { webhookId }] of keys.entries()) {
        if (webhookId !== null && webhookIds.has(webhookId)) keys.delete(hash);
      }
    },
    isEmpty(): boolean {
      keys.purgeStale();
      return keys.size === 0;
    },
  };
}
