/**
 * Caches webhooks by the SHA-256 of their path key.
 *
 * Promises: active webhooks are cached for 5 s; whether a request is a sample or held follows a fresh read. Keys that are
 * unknown, revoked, expired or of an archived webhook are cached as long, apart, so that they evict no active one. Concurrent
 * lookups of one iteration of the event loop share a statement. A change by another process is noticed within about a second,
 * because changes are polled by database time while anything is cached; an invalidation over Redis makes it sooner, and without both
 * the entry expires. An expired key is never served from the cache. A poll reads a bounded number of changes and passes over
 * the cache once.
 * Must never: see the key itself.
 */
import { LRUCache } from 'lru-cache';
import { systemClock, type Clock } from '../base/clock.ts';
import { atMost, createCache } from '../base/concurrency/cache.ts';
import type { Logger } from '../base/observability/logger.ts';
import { receptionModeOf, type Webhook } from '../domain/webhooks/webhook.ts';

/** The webhook that a key belongs to. */
export type ResolvedKey = {
  readonly webhook: Webhook;
  readonly keyId: string;
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null;
};

/** Wrapped, because a cache stores objects only. */
type Entry = { readonly hash: string; readonly resolved: ResolvedKey | null };

type WebhookCacheDeps = {
  readonly webhooks: {
    /** The map has no unknown, revoked or expired keys. */
    findByKeyHashes(
      hashes: readonly string[],
      now: Date,
    ): Promise<ReadonlyMap<string, ResolvedKey>>;
    changedSince(since: Date, limit: number): Promise<readonly { id: string; changedAt: Date }[]>;
  };
  readonly logger: Logger;
  readonly clock?: Clock;
};

const maxEntries = 10_000;
const maxRejected = 10_000;
const ttlMs = 5_000;
const pollEveryMs = 1_000;
/** A change may become visible later than its timestamp says, so each poll reads this far back. */
const rereadMs = 10_000;
const maxChanges = 1_000;

export type WebhookCache = ReturnType<typeof createWebhookCache>;

export function createWebhookCache({ webhooks, logger, clock = systemClock }: WebhookCacheDeps) {
  const rejected = createRejectedKeys(clock);
  const cache = createCache<Entry>({
    max: maxEntries,
    ttlMs,
    nowMs: () => clock.elapsedMs(),
    shouldCache,
    isFresh: ({ resolved }) => !resolved?.expiresAt || resolved.expiresAt > clock.now(),
    load: createGatheredLoad((hashes) => webhooks.findByKeyHashes(hashes, clock.now())),
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

  let latest: Date | null = null;
  /** Changes that were handled within the time that is read again: webhook id → change time. */
  const handled = new Map<string, number>();
  let isPolling = false;

  /** Reads the changes made by other processes, and drops what they changed. Never rejects. */
  async function poll(): Promise<void> {
    if (isPolling || (cache.isEmpty() && rejected.isEmpty())) return;
    isPolling = true;
    try {
      const since = new Date(+(latest ?? clock.now()) - rereadMs);
      const changed = await webhooks.changedSince(since, maxChanges);
      const fresh = changed.filter(({ id, changedAt }) => handled.get(id) !== +changedAt);
      // Older changes may be missing in a full page.
      if (changed.length === maxChanges) invalidateEverything();
      else if (fresh.length > 0) invalidateAll(new Set(fresh.map(({ id }) => id)));
      for (const { id, changedAt } of fresh) {
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
    /** Resolves to null for an unknown key. */
    get: async (keyHash: string): Promise<ResolvedKey | null> =>
      (await cache.get(keyHash)).resolved,
    /** Returns the cached entry without a lookup; null when there is none. */
    peek: (keyHash: string): ResolvedKey | null => cache.peek(keyHash)?.resolved ?? null,
    /** Whether a lookup of the last 5 s found no webhook that accepts requests. */
    isRejected: rejected.has,
    invalidate: (webhookId: string): void => invalidateAll(new Set([webhookId])),
    poll,
    close: (): void => clearInterval(timer),
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

type Gathered = {
  readonly hash: string;
  readonly resolve: (entry: Entry) => void;
  readonly reject: (error: unknown) => void;
};

/** Returns a function that loads the keys that are asked for at the same time in one call. */
function createGatheredLoad(
  find: (hashes: readonly string[]) => Promise<ReadonlyMap<string, ResolvedKey>>,
): (hash: string) => Promise<Entry> {
  let gathered: Gathered[] = [];

  async function loadAll(): Promise<void> {
    const asked = gathered;
    gathered = [];
    try {
      const found = await find(asked.map(({ hash }) => hash));
      for (const { hash, resolve } of asked) resolve({ hash, resolved: found.get(hash) ?? null });
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      if (gathered.push({ hash, resolve, reject }) === 1) queueMicrotask(() => void loadAll());
    });
}
