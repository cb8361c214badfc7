/**
 * Remembers what a loader found, for a while, and asks once for what many want at the same time.
 * What was being loaded when `forget` was called is given to those who waited, but not remembered.
 */
import { LRUCache } from 'lru-cache';

export type Memo<Value> = {
  get(key: string): Promise<Value>;
  /** What is remembered now; nothing is loaded for it. */
  recall(key: string): Value | undefined;
  forget(isStale?: (value: Value) => boolean): void;
};

export type MemoOptions<Value> = {
  readonly max: number;
  readonly ttlMs?: number;
  readonly load: (key: string) => Promise<Value>;
  /** Whether a value may be remembered at all; by default every one. */
  readonly keep?: (value: Value) => boolean;
  /** Whether a remembered value still holds, asked at each use; by default until its time is over. */
  readonly holds?: (value: Value) => boolean;
  readonly nowMs?: () => number;
};

export function createMemo<Value extends object>(options: MemoOptions<Value>): Memo<Value> {
  const { load, keep = () => true, holds = () => true, nowMs } = options;
  const known = new LRUCache<string, Value>({
    max: options.max,
    ttl: options.ttlMs ?? 0,
    // An injected clock is read on every look-up instead of being held for a millisecond.
    ...(nowMs && { perf: { now: nowMs }, ttlResolution: 0 }),
  });
  let loading = new Map<string, Promise<Value>>();

  async function loadFresh(key: string, mine: Map<string, Promise<Value>>): Promise<Value> {
    try {
      const value = await load(key);
      if (mine === loading && keep(value)) known.set(key, value);
      return value;
    } finally {
      mine.delete(key);
    }
  }

  function recall(key: string): Value | undefined {
    const value = known.get(key);
    if (value === undefined || holds(value)) return value;
    known.delete(key);
    return undefined;
  }

  return {
    recall,
    get(key) {
      const value = recall(key);
      if (value !== undefined) return Promise.resolve(value);
      const pending = loading.get(key);
      if (pending) return pending;
      const fresh = loadFresh(key, loading);
      loading.set(key, fresh);
      return fresh;
    },
    forget(isStale = () => true) {
      loading = new Map();
      for (const [key, value] of known.entries()) if (isStale(value)) known.delete(key);
    },
  };
}
