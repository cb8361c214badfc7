/** What the buckets of counters have in common. Field names of a document must not contain a dot, a dollar sign or NUL. */
import { hourMs } from '../../domain/mappings/drift.ts';
import type { Collection } from '../db/connection.ts';
import { collectDuplicates, retryAfterDuplicate } from '../db/errors.ts';

/** For indexes: a bucket is deleted at the end of its own time. */
export const expiry = { key: { expiresAt: 1 }, expireAfterSeconds: 0 } as const;

export const expiryOf = (hour: Date, days: number): Date => new Date(+hour + days * 24 * hourMs);

/** Adds counts to the buckets in one bulk, and creates missing ones. Rejects when some counts may be missing. */
export async function addToBuckets<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  updates: readonly (readonly [id: string, update: object])[],
): Promise<void> {
  let left = updates;
  if (left.length === 0) return;
  // Again for the buckets that another process created at the same time. The counts of the others are there.
  await retryAfterDuplicate(() => {
    const given = left;
    const operations = given.map(([_id, update]) => ({
      updateOne: { filter: { _id }, update, upsert: true },
    })) as unknown as Parameters<typeof collection.bulkWrite>[0];
    return collection.bulkWrite(operations, { ordered: false }).catch(async (error: Error) => {
      const duplicates = new Set(await collectDuplicates(() => Promise.reject(error)));
      left = given.filter((_one, position) => duplicates.has(position));
      throw error;
    });
  });
}

/** The colon prefix prevents a special meaning of names such as `__proto__` in JavaScript. */
export const encodeFieldName = (name: string): string =>
  `:${name.toWellFormed().replaceAll(/[%.$\0]/g, (sign) => escapes[sign] ?? '')}`;

export const decodeFieldName = (key: string): string =>
  key.slice(1).replaceAll(/%(?:25|2E|24|00)/g, (code) => signs[code] ?? '');

const escapes: Readonly<Record<string, string>> = {
  '%': '%25',
  '.': '%2E',
  $: '%24',
  '\0': '%00',
};
const signs = Object.fromEntries(Object.entries(escapes).map(([sign, code]) => [code, sign]));
