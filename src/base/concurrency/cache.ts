/**
 * Cache with a loader. Concurrent `get` calls for one key load it once. A load that is in progress during
 * `invalidate` is returned to its callers but not stored.
 */
import { LRUCache } from 'lru-cache';

type CacheOptions<Value> = {
  readonly max: number;
  readonly ttlMs?: number;
  readonly load: (key: string) => Promise<Value>;
  /** Whether a value is stored. Default: always. */
  readonly shouldCache?: (value: Value) => boolean;
  /** Whether a cached value is still valid, checked at each use. Default: always, until `ttlMs`. */
  readonly isFresh?: (value: Value) => boolean;
  readonly nowMs?: () => number;
};

/** Options of an LRU cache of so many values. Its own option `max` allocates room for all of them at once. */
export const atMost = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 });

export function createCache<Value extends object>(options: CacheOptions<Value>) {
  const { load, shouldCache = () => true, isFresh = () => true, nowMs } = options;
  const values = new LRUCache<string, Value>({
    ...atMost(options.max),
    ttl: options.ttlMs ?? 0,
    // Reads an injected clock at every lookup; the library otherwise caches the time for a millisecond.
    ...(nowMs && { perf: { now: nowMs }, ttlResolution: 0 }),
  });
  let loading = new Map<string, Promise<Value>>();

  async function loadFresh(key: string, mine: Map<string, Promise<Value>>): Promise<Value> {
    try {
      const value = await load(key);
      if (mine === loading && shouldCache(value)) values.set(key, value);
      return value;
    } finally {
      mine.delete(key);
    }
  }

  /** Returns the cached value, or undefined. Does not load. */
  function peek(key: string): Value | undefined {
    const value = values.get(key);
    if (value === undefined || isFresh(value)) return value;
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
      for (const [key, value] of values.entries()) if (isStale(value, key)) values.delete(key);
    },
    /** Whether no value is cached that has not expired. Costs a pass over the cached values. */
    isEmpty(): boolean {
      values.purgeStale();
      return values.size === 0;
    },
  };
}
