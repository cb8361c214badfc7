/** Counts per key, such as requests in progress per address. Keys whose count is zero take no memory. */
type KeyedCounter = {
  /** Returns the count of the key; 0 for an unknown key. */
  count(key: string): number;
  increment(key: string): void;
  /** Must follow an `increment` of the same key. */
  decrement(key: string): void;
  /** The sum over all keys. */
  readonly total: number;
  /** Returns the keys whose count is at least `min`. */
  keysWithAtLeast(min: number): string[];
};

export function createKeyedCounter(): KeyedCounter {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    count: (key) => counts.get(key) ?? 0,
    increment(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
    },
    decrement(key) {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
      total -= 1;
    },
    get total() {
      return total;
    },
    keysWithAtLeast: (min) => [...counts].flatMap(([key, count]) => (count >= min ? [key] : [])),
  };
}
