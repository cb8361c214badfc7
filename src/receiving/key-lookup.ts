/**
 * Limits the database lookups of path keys that are not cached.
 *
 * Promises: a cached key never waits, and neither does a key that was valid before. A key that was rejected in the last 5 s
 * needs no lookup. Unknown keys share lookups, so a flood of wrong keys leaves the database free, and takes no slot of the
 * admission. Client networks take turns and share the places in the queue. Those that have sent too many wrong credentials
 * share a few lookups a second: a valid key among them is found a moment later.
 * Requests that wait for the same key share the next lookup.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../base/concurrency/cache.ts';
import { sleep, type Clock } from '../base/clock.ts';
import { createBatcher } from '../base/concurrency/batcher.ts';
import { isAcceptedKey, type ResolvedKey, type WebhookCache } from './webhook-cache.ts';

type KeyLookupLimits = {
  /** Concurrent lookups; a process has 32 database connections. */
  readonly maxConcurrent: number;
  /** Keys in one lookup. */
  readonly maxBatch: number;
  /** Unknown keys that may wait for a lookup, of networks over budget as many again. */
  readonly maxWaiting: number;
};

const defaultLimits: KeyLookupLimits = { maxConcurrent: 2, maxBatch: 500, maxWaiting: 2_000 };

/**
 * About as long as a lookup, in which the body of a small request arrives: the answer is then the same as after a lookup, also
 * in what it says about the connection.
 */
const rejectedPauseMs = 5;
/** Between two lookups for networks over budget. */
const pauseMs = 250;
/** A lookup then takes 6 s at most, so every request is answered within about 9 s. */
const maxWaitMs = 3_000;
/** More keys than there are webhooks. */
const maxKnownGoodKeys = 20_000;

/**
 * Resolves to the webhook of a key hash; null for an unknown key, and maybe for one of an archived webhook. Rejects with
 * `overloaded`. `clientNetwork` is called only when a lookup is needed.
 */
type KeyLookup = (keyHash: string, clientNetwork: () => string) => Promise<ResolvedKey | null>;

type KeyLookupDeps = {
  readonly cache: Pick<WebhookCache, 'get' | 'peek' | 'isRejected'>;
  readonly clock: Clock;
  /** Whether the network has sent too many wrong credentials. */
  readonly isOverBudget: (network: string) => boolean;
  readonly limits?: Partial<KeyLookupLimits>;
  readonly pause?: (ms: number) => Promise<void>;
};

type Wanted = { readonly hash: string; readonly network: string; hasBegun: boolean };

export function createKeyLookup(deps: KeyLookupDeps): KeyLookup {
  const { cache, isOverBudget, pause = sleep } = deps;
  const knownGoodKeys = new LRUCache<string, true>(atMost(maxKnownGoodKeys));
  /** Lookups that have not begun, by key hash. */
  const waiting = new Map<string, Promise<ResolvedKey | null>>();

  async function lookUp(hash: string): Promise<ResolvedKey | null> {
    const resolved = await cache.get(hash);
    if (isAcceptedKey(resolved)) knownGoodKeys.set(hash, true);
    else knownGoodKeys.delete(hash);
    return resolved;
  }

  async function lookUpAll(wanted: readonly Wanted[]): Promise<(ResolvedKey | null)[]> {
    for (const one of wanted) {
      one.hasBegun = true;
      waiting.delete(one.hash);
    }
    return Promise.all(wanted.map(({ hash }) => lookUp(hash)));
  }

  const usual = createLane(deps, lookUpAll);
  const overBudget = createLane(
    { ...deps, limits: { ...deps.limits, maxConcurrent: 1 } },
    async (wanted) => {
      await pause(pauseMs);
      return lookUpAll(wanted);
    },
  );

  return async function lookUpKey(hash, clientNetwork) {
    const cached = cache.peek(hash);
    if (cached) return cached;
    if (knownGoodKeys.has(hash)) return lookUp(hash);
    if (cache.isRejected(hash)) {
      await pause(rejectedPauseMs);
      // After a pause the event loop reads sockets before it runs immediates.
      await new Promise((resolve) => setImmediate(resolve));
      return null;
    }
    const shared = waiting.get(hash);
    if (shared) return shared;
    const network = clientNetwork();
    const lane = isOverBudget(network) ? overBudget : usual;
    const wanted: Wanted = { hash, network, hasBegun: false };
    const queued = lane.add(wanted);
    // A lookup that has begun may miss a change that was made since.
    if (!wanted.hasBegun) waiting.set(hash, queued);
    return queued.finally(() => {
      if (waiting.get(hash) === queued) waiting.delete(hash);
    });
  };
}

function createLane(
  { clock, limits }: Pick<KeyLookupDeps, 'clock' | 'limits'>,
  flush: (wanted: readonly Wanted[]) => Promise<(ResolvedKey | null)[]>,
) {
  const { maxConcurrent, maxBatch, maxWaiting } = { ...defaultLimits, ...limits };
  return createBatcher<Wanted, ResolvedKey | null>({
    maxBatch,
    maxPending: maxWaiting,
    isShared: true,
    maxWaitMs,
    nowMs: () => clock.elapsedMs(),
    concurrency: maxConcurrent,
    groupOf: ({ network }) => network,
    flush,
  });
}
