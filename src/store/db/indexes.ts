/** What indexes there are, held against what there must be. */
import type { Connection, IndexSpec } from './connection.ts';
import { withDeadline } from './connection.ts';

export type StoredIndex = {
  readonly name: string;
  readonly key: Readonly<Record<string, number>>;
  readonly unique?: boolean;
  readonly partialFilterExpression?: unknown;
  readonly expireAfterSeconds?: number;
  readonly collation?: { readonly locale: string; readonly strength: number };
};

const shapeOf = (index: StoredIndex) => {
  const { key, unique, partialFilterExpression, expireAfterSeconds, collation } = index;
  return JSON.stringify([
    key,
    unique === true,
    partialFilterExpression ?? null,
    expireAfterSeconds ?? null,
    // MongoDB lists all the rest of a collation beside what it was told.
    collation ? [collation.locale, collation.strength] : null,
  ]);
};

/** As MongoDB is told to make it, and as it lists it. */
export const toIndexDescription = (spec: IndexSpec): StoredIndex => ({
  name: spec.name,
  key: { ...spec.key },
  ...(spec.unique && { unique: true }),
  ...(spec.where && { partialFilterExpression: spec.where }),
  ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds: spec.expireAfterSeconds }),
  ...(spec.collation && { collation: { ...spec.collation } }),
});

export const isSameIndex = (spec: IndexSpec, stored: StoredIndex): boolean =>
  stored.name === spec.name && shapeOf(stored) === shapeOf(toIndexDescription(spec));

export const collectionNames = (specs: readonly IndexSpec[]): string[] => [
  ...new Set(specs.map(({ collection }) => collection)),
];

/** The unique indexes that are missing, still being built, or other than they must be, as `collection.index`. */
export async function missingIndexes(
  connection: Connection,
  specs: readonly IndexSpec[],
): Promise<string[]> {
  const unique = specs.filter((spec) => spec.unique);
  const missing = await Promise.all(
    collectionNames(unique).map(async (name) => {
      const stored = await listIndexes(connection, name);
      return unique.filter(
        (spec) => spec.collection === name && !stored.some((index) => isSameIndex(spec, index)),
      );
    }),
  );
  return missing.flat().map(({ collection, name }) => `${collection}.${name}`);
}

type Listed = { readonly cursor: { readonly firstBatch: readonly (StoredIndex | Building)[] } };
type Building = { readonly spec: StoredIndex };

/** Those that are ready; of a collection that does not exist, none. */
export async function listIndexes(
  connection: Connection,
  collection: string,
): Promise<StoredIndex[]> {
  const withinMs = 5_000;
  try {
    // Without build ids, an index that is still being built would be listed like one that holds already.
    const command = { listIndexes: collection, includeBuildUUIDs: true };
    const db = connection.getClient().db(connection.name);
    const answer = await withDeadline((abort) => db.command(command, abort), withinMs);
    const { cursor } = answer as unknown as Listed;
    return cursor.firstBatch.filter((index) => 'name' in index);
  } catch (error) {
    const namespaceNotFound = 26;
    if ((error as { code?: number }).code === namespaceNotFound) return [];
    throw error;
  }
}
