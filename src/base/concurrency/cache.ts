/**
 * Cache with a loader. Concurrent `get` calls for one key load it once. A load that is in progress during
 * `invalidate` is returned to its callers but not stored.
 *
 * A value lives for `ttlMs` after its load began, and after each `confirm`. So while something names the changes, values live
 * up to `maxAgeMs`, and without it they expire.
 */
import { LRUCache } from 'lru-cache';
import { systemClock } from '../clock.ts';

type CacheOptions<Value> = {
  readonly max: number;
  readonly ttlMs?: number;
  /** A value is loaded again after this time, confirmed or not. Default: never. */
  readonly maxAgeMs?: number;
  readonly load: (key: string) => Promise<Value>;
  /** Whether a value is stored. Default: always. */
  readonly shouldCache?: (value: Value) => boolean;
  /** Whether a cached value is still valid, checked at each use. Default: always, until `ttlMs`. */
  readonly isFresh?: (value: Value) => boolean;
  readonly nowMs?: () => number;
};

type Held<Value> = { readonly value: Value; readonly askedMs: number };

/** Options of an LRU cache of so many values. Its own option `max` allocates room for all of them at once. */
export const atMost = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 });

/** A cache that nothing was read from for so long is idle. */
const idleAfterMs = 10_000;

export function createCache<Value extends object>(options: CacheOptions<Value>) {
  const { load, shouldCache = () => true, isFresh = () => true } = options;
  const { ttlMs = Infinity, maxAgeMs = Infinity, nowMs = () => systemClock.elapsedMs() } = options;
  const values = new LRUCache<string, Held<Value>>(atMost(options.max));
  let loading = new Map<string, Promise<Value>>();
  let confirmedMs = -Infinity;
  let storedMs = -Infinity;
  let usedMs = -Infinity;

  const isAlive = ({ askedMs }: Held<Value>, atMs: number): boolean =>
    atMs <= Math.max(askedMs, confirmedMs) + ttlMs && atMs <= askedMs + maxAgeMs;

  async function loadFresh(key: string, mine: Map<string, Promise<Value>>): Promise<Value> {
    const askedMs = nowMs();
    try {
      const value = await load(key);
      if (mine === loading && shouldCache(value)) {
        values.set(key, { value, askedMs });
        storedMs = Math.max(storedMs, askedMs);
        usedMs = Math.max(usedMs, askedMs);
      }
      return value;
    } finally {
      mine.delete(key);
    }
  }

  /** Returns the cached value, or undefined. Does not load. */
  function peek(key: string): Value | undefined {
    const held = values.get(key);
    if (held === undefined) return undefined;
    const atMs = nowMs();
    if (isAlive(held, atMs) && isFresh(held.value)) {
      usedMs = atMs;
      return held.value;
    }
    values.delete(key);
    return undefined;
  }

  return {
    peek,
    get(key: string): Promise<Value> {
      const value = peek(key);
      if (value !== undefined) return Promise.resolve(value);
      const pending = loading.get(key);
      if (pending) return pending;
      const fresh = loadFresh(key, loading);
      loading.set(key, fresh);
      return fresh;
    },
    invalidate(isStale: (value: Value, key: string) => boolean = () => true): void {
      loading = new Map();
      for (const [key, held] of values.entries()) if (isStale(held.value, key)) values.delete(key);
    },
    /** Every value that is not expired at that time, and was not invalidated, was current then. */
    confirm(atMs: number): void {
      // After a gap, a value that expired in it may have changed in it.
      if (atMs > confirmedMs + ttlMs) {
        for (const [key, held] of values.entries()) if (!isAlive(held, atMs)) values.delete(key);
      }
      confirmedMs = Math.max(confirmedMs, atMs);
    },
    /** Whether all values have expired, or none was asked for in the last 10 s. Drops the values once all have expired. */
    isIdle(): boolean {
      const atMs = nowMs();
      if (atMs > Math.max(storedMs, confirmedMs) + ttlMs) values.clear();
      return values.size === 0 || atMs > usedMs + idleAfterMs;
    },
  };
}
