/**
 * The migration step: the promises rest on unique indexes, so they are created before anything is accepted and
 * verified at readiness. Safe from several processes at once: creating an index that is there does nothing.
 */
import type { Connection, IndexSpec } from './connection.ts';
import { collectionOf } from './connection.ts';

type StoredIndex = {
  readonly name: string;
  readonly key: Readonly<Record<string, number>>;
  readonly unique?: boolean;
  readonly partialFilterExpression?: unknown;
};

const matches = (spec: IndexSpec, stored: StoredIndex): boolean =>
  JSON.stringify(stored.key) === JSON.stringify(spec.key) &&
  (stored.unique === true) === (spec.unique === true) &&
  JSON.stringify(stored.partialFilterExpression ?? null) === JSON.stringify(spec.where ?? null);

const collectionsOf = (specs: readonly IndexSpec[]): string[] => [
  ...new Set(specs.map(({ collection }) => collection)),
];

/** Creates what is missing. Rejects when existing documents break a unique index, naming the index. */
export async function createIndexes(
  connection: Connection,
  specs: readonly IndexSpec[],
): Promise<void> {
  for (const name of collectionsOf(specs)) {
    const wanted = specs.filter(({ collection }) => collection === name);
    await collectionOf(connection, name).createIndexes(
      wanted.map(({ name: index, key, unique, where, expireAfterSeconds }) => ({
        name: index,
        key: { ...key },
        ...(unique && { unique }),
        ...(where && { partialFilterExpression: where }),
        ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
      })),
    );
  }
}

/** The unique indexes that are missing or other than they must be, as `collection.index`. */
export async function missingIndexes(
  connection: Connection,
  specs: readonly IndexSpec[],
): Promise<string[]> {
  const missing: string[] = [];
  const unique = specs.filter((spec) => spec.unique);
  for (const name of collectionsOf(unique)) {
    const stored = await storedIndexes(connection, name);
    for (const spec of unique.filter(({ collection }) => collection === name)) {
      if (!stored.some((index) => matches(spec, index))) missing.push(`${name}.${spec.name}`);
    }
  }
  return missing;
}

async function storedIndexes(connection: Connection, name: string): Promise<StoredIndex[]> {
  try {
    return (await collectionOf(connection, name).listIndexes().toArray()) as StoredIndex[];
  } catch (error) {
    const namespaceNotFound = 26;
    if ((error as { code?: number }).code === namespaceNotFound) return [];
    throw error;
  }
}
