/** Counts per key, such as requests in progress per address. Keys whose count is zero take no memory. */
export function createKeyedCounter() {
  const counts = new Map<string, number>();
  let total = 0;
  /** A negative amount must follow a positive one of the same key. */
  function add(key: string, amount: number): void {
    const count = (counts.get(key) ?? 0) + amount;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
    total += amount;
  }
  return {
    add,
    /** Returns the count of the key; 0 for an unknown key. */
    count: (key: string): number => counts.get(key) ?? 0,
    /** The sum over all keys. */
    get total(): number {
      return total;
    },
    /** Returns the keys whose count is at least `min`. */
    keysWithAtLeast: (min: number): string[] =>
      [...counts].flatMap(([key, count]) => (count >= min ? [key] : [])),
  };
}
