/** Loads of single keys that are asked for at the same time share a statement. */

type Gathered<Value> = {
  readonly key: string;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** Keys in one call. */
const maxKeys = 500;

/**
 * Returns a function that loads a key. The keys that are asked for before the code that runs now ends are loaded in one call of
 * `loadAll`. Resolves to undefined for a key that `loadAll` does not return.
 */
export function gatherLoads<Value>(
  loadAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let gathered: Gathered<Value>[] = [];

  async function loadGathered(): Promise<void> {
    const asked = gathered;
    gathered = [];
    if (asked.length === 0) return;
    try {
      const found = await loadAll(asked.map(({ key }) => key));
      for (const { key, resolve } of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const count = gathered.push({ key, resolve, reject });
      if (count === 1) queueMicrotask(() => void loadGathered());
      else if (count === maxKeys) void loadGathered();
    });
}
