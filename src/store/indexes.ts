/**
 * The migration step: the promises rest on unique indexes, so they are created before anything is accepted and
 * verified at readiness. Safe from several processes at once: an index that is there is not created, and creating one
 * that another process has just created does nothing.
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
  stored.name === spec.name &&
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
    const wanted = await missingIn(connection, name, specs);
    if (wanted.length > 0) await create(connection, name, wanted);
  }
}

function create(connection: Connection, name: string, wanted: readonly IndexSpec[]) {
  return collectionOf(connection, name).createIndexes(
    wanted.map(({ name: index, key, unique, where, expireAfterSeconds }) => ({
      name: index,
      key: { ...key },
      ...(unique && { unique }),
      ...(where && { partialFilterExpression: where }),
      ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    })),
  );
}

/** The unique indexes that are missing or other than they must be, as `collection.index`. */
export async function missingIndexes(
  connection: Connection,
  specs: readonly IndexSpec[],
): Promise<string[]> {
  const unique = specs.filter((spec) => spec.unique);
  const missing = await Promise.all(
    collectionsOf(unique).map((name) => missingIn(connection, name, unique)),
  );
  return missing.flat().map(({ collection, name }) => `${collection}.${name}`);
}

async function missingIn(
  connection: Connection,
  name: string,
  specs: readonly IndexSpec[],
): Promise<IndexSpec[]> {
  const stored = await storedIndexes(connection, name);
  return specs.filter(
    (spec) => spec.collection === name && !stored.some((index) => matches(spec, index)),
  );
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
