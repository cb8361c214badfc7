/**
 * Limits the database lookups of path keys that are not cached.
 *
 * Promises: a cached key never waits, and neither does a key that was valid before. Unknown keys queue for a few
 * concurrent lookups, so a flood of wrong keys leaves database connections free, and takes no slot of the admission. One
 * client network cannot fill the queue alone. Every rejected key was looked up.
 * Must never: answer from an earlier lookup. Requests that wait for the same key share the next lookup.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { createKeyedCounter } from '../base/concurrency/keyed-counter.ts';
import { AppError } from '../base/errors.ts';
import { receptionModeOf } from '../domain/webhooks/webhook.ts';
import type { WebhookCache, ResolvedKey } from './webhook-cache.ts';

export type KeyLookupLimits = {
  /** Concurrent lookups of unknown keys; a process has 32 database connections. */
  readonly maxConcurrent: number;
  /** Unknown keys that may wait for a lookup. */
  readonly maxWaiting: number;
  /** How many of them may come from one client network. */
  readonly maxWaitingPerNetwork: number;
};

const defaultLimits: KeyLookupLimits = {
  maxConcurrent: 16,
  maxWaiting: 2_000,
  maxWaitingPerNetwork: 500,
};

/** A lookup then takes 6 s at most, so every request is answered within about 9 s. */
const maxWaitMs = 3_000;

/** More keys than there are webhooks. */
const maxKnownGoodKeys = 20_000;

/**
 * Resolves to the webhook of a key hash; null for an unknown key. Rejects with `overloaded`. `clientNetwork` is called
 * only when the lookup has to wait.
 */
export type KeyLookup = (
  keyHash: string,
  clientNetwork: () => string,
) => Promise<ResolvedKey | null>;

type KeyLookupDeps = {
  readonly cache: Pick<WebhookCache, 'get' | 'peek'>;
  readonly clock: Clock;
  readonly limits?: Partial<KeyLookupLimits> | undefined;
};

/** Whether a webhook with this key accepts requests: all but archived ones do. */
export const isAccepted = ({ webhook }: ResolvedKey): boolean =>
  receptionModeOf(webhook.status) !== 'rejected';

export function createKeyLookup({ cache, clock, limits }: KeyLookupDeps): KeyLookup {
  const knownGoodKeys = new LRUCache<string, true>({ max: maxKnownGoodKeys });
  const slots = createLookupSlots({ ...defaultLimits, ...limits }, clock);
  /** Lookups that wait for a slot, by key hash. */
  const waiting = new Map<string, Promise<ResolvedKey | null>>();

  async function lookUp(hash: string): Promise<ResolvedKey | null> {
    const resolved = await cache.get(hash);
    if (resolved && isAccepted(resolved)) knownGoodKeys.set(hash, true);
    else knownGoodKeys.delete(hash);
    return resolved;
  }

  async function lookUpAfter(slot: Promise<void>, hash: string): Promise<ResolvedKey | null> {
    await slot.finally(() => waiting.delete(hash));
    return lookUp(hash).finally(slots.release);
  }

  return async function lookUpKey(hash, clientNetwork) {
    const cached = cache.peek(hash);
    if (cached) return cached;
    if (knownGoodKeys.has(hash)) return lookUp(hash);
    const shared = waiting.get(hash);
    if (shared) return shared;
    if (slots.tryAcquire()) return lookUp(hash).finally(slots.release);
    const queued = lookUpAfter(slots.acquire(clientNetwork()), hash);
    waiting.set(hash, queued);
    return queued;
  };
}

type Waiter = {
  readonly network: string;
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (error: AppError) => void;
};

const overloaded = () => new AppError('overloaded', { retryAfterMs: 2_000 });

/** A semaphore with a bounded queue, first in, first out. */
function createLookupSlots(limits: KeyLookupLimits, clock: Clock) {
  const queue: Waiter[] = [];
  const perNetwork = createKeyedCounter();
  let inUse = 0;

  /** Passes the slot on to the next waiter, and rejects those that have waited too long. */
  function release(): void {
    for (let next = queue.shift(); next; next = queue.shift()) {
      perNetwork.decrement(next.network);
      if (clock.elapsedMs() - next.sinceMs <= maxWaitMs) return next.resolve();
      next.reject(overloaded());
    }
    inUse -= 1;
  }

  return {
    release,
    /** Returns false when all slots are in use. */
    tryAcquire(): boolean {
      if (inUse >= limits.maxConcurrent) return false;
      inUse += 1;
      return true;
    },
    /** Resolves with a slot. Throws `overloaded` when the queue is full, and rejects with it after a wait of 3 s. */
    acquire(network: string): Promise<void> {
      const isFull = perNetwork.count(network) >= limits.maxWaitingPerNetwork;
      if (isFull || queue.length >= limits.maxWaiting) throw overloaded();
      perNetwork.increment(network);
      const sinceMs = clock.elapsedMs();
      return new Promise((resolve, reject) => queue.push({ network, sinceMs, resolve, reject }));
    },
  };
}
