/** Compares the indexes of the database with their specifications. */
import { sha256 } from '../../base/ids.ts';
import { databaseOf, type Connection, type IndexSpec } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { mapUnavailable } from './errors.ts';
import { idIndex } from './queries.ts';

export type StoredIndex = {
  readonly name: string;
  readonly key: Readonly<Record<string, number>>;
  readonly unique?: boolean;
  readonly partialFilterExpression?: unknown;
  readonly expireAfterSeconds?: number;
  readonly collation?: { readonly locale: string; readonly strength: number };
};

/** Returns the same text for indexes that differ in their names only. */
export const shapeOf = (index: StoredIndex): string => {
  const { key, unique, partialFilterExpression, expireAfterSeconds, collation } = index;
  return JSON.stringify([
    key,
    unique === true,
    partialFilterExpression ?? null,
    expireAfterSeconds ?? null,
    // MongoDB adds default fields to a collation.
    collation ? [collation.locale, collation.strength] : null,
  ]);
};

/** Returns the index as the commands `createIndexes` and `listIndexes` describe it. */
export const toIndexDescription = (spec: IndexSpec): StoredIndex => ({
  name: spec.name,
  key: { ...spec.key },
  ...(spec.unique && { unique: true }),
  ...(spec.where && { partialFilterExpression: spec.where }),
  ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds: spec.expireAfterSeconds }),
  ...(spec.collation && { collation: { ...spec.collation } }),
});

/** A unique index may have another name, because its replacement is built beside it. Other indexes are hinted by their names. */
export const isSameIndex = (spec: IndexSpec, stored: StoredIndex): boolean =>
  (spec.unique === true || stored.name === spec.name) &&
  shapeOf(stored) === shapeOf(toIndexDescription(spec));

/**
 * The index that MongoDB creates with each collection. It is listed where a collection has no other, so that the migration
 * creates the collection: MongoDB under Wine crashes when two connections create the same one at once.
 */
export const idIndexOf = (collection: string): IndexSpec => ({
  collection,
  name: idIndex,
  key: { _id: 1 },
});

/** Returns a text that is the same for the same unique indexes. */
export const versionOfIndexes = (specs: readonly IndexSpec[]): string => {
  const unique = specs.filter((spec) => spec.unique);
  const shapes = unique.map((spec) => `${spec.collection} ${shapeOf(toIndexDescription(spec))}`);
  return sha256(shapes.toSorted().join('\n')).slice(0, 16);
};

export const collectionNames = (specs: readonly IndexSpec[]): string[] => [
  ...new Set(specs.map(({ collection }) => collection)),
];

/** Returns the indexes that are missing, still being built or, when they are unique, different, as `collection.index`. */
export async function missingIndexes(connection: Connection, specs: readonly IndexSpec[]) {
  const missing = await Promise.all(
    collectionNames(specs).map(async (collection) => {
      const stored = await listIndexes(connection, collection);
      const isStored = (spec: IndexSpec) =>
        stored.some((index) => (spec.unique ? isSameIndex(spec, index) : index.name === spec.name));
      return specs.filter((spec) => spec.collection === collection && !isStored(spec));
    }),
  );
  return missing.flat().map(({ collection, name }) => `${collection}.${name}`);
}

type Listed = { readonly cursor: { readonly firstBatch: readonly (StoredIndex | Building)[] } };
type Building = { readonly spec: StoredIndex };

/** Returns the completely built indexes of a collection. Returns an empty list when the collection does not exist. */
export async function listIndexes(connection: Connection, collection: string) {
  const withinMs = 5_000;
  try {
    // Without build UUIDs, MongoDB lists an unfinished index like a finished one.
    const command = { listIndexes: collection, includeBuildUUIDs: true };
    const db = databaseOf(connection);
    const answer = await mapUnavailable(() =>
      withDeadline((abort) => db.command(command, abort), withinMs),
    );
    const { cursor } = answer as unknown as Listed;
    return cursor.firstBatch.filter((index) => 'name' in index);
  } catch (error) {
    const namespaceNotFound = 26;
    if ((error as { code?: number }).code === namespaceNotFound) return [];
    throw error;
  }
}
