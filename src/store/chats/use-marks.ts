/**
 * Marks channels, agents, sectors and labels as used, so that their deletion and a use of them at the same time conflict.
 * Collection `use_marks`.
 *
 * Promises: a use writes one of the marks of a record, and a deletion all of them. So of a use and a deletion at the same time one
 * is retried and sees the other, and two uses seldom meet: a single mark would put all uses of a record in a row.
 */
import { randomInt } from 'node:crypto';
import type { Failure } from '../../base/result.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection, type Session } from '../db/connection.ts';

const collection = 'use_marks';

export const useMarkIndexes = indexesOf(collection, {
  // A mark has no use after the longest transaction, which MongoDB ends after a minute.
  expiry: { key: { usedAt: 1 }, expireAfterSeconds: 3_600 },
});

type Marked = 'agents' | 'channels' | 'labels' | 'sectors';
type Mark = { readonly _id: string; readonly usedAt: Date };

const marksPerRecord = 64;
const now = { $currentDate: { usedAt: true } } as const;

/** Something that a change names was deleted. */
export type Gone = Failure<'gone'>;

/** Returns false when one of the records does not exist or is deleted. */
export async function markUsed(
  connection: Connection,
  { name, ids }: { readonly name: Marked; readonly ids: readonly string[] },
  session: Session,
): Promise<boolean> {
  if (ids.length === 0) return true;
  const present = await collectionOf<{ _id: string; deletedAt?: Date | null }>(connection, name)
    .find({ _id: { $in: [...ids] }, deletedAt: null }, { session, projection: { _id: 1 } })
    .toArray();
  for (const { _id } of present) {
    const mark = markOf(name, _id, randomInt(marksPerRecord));
    await collectionOf<Mark>(connection, collection).updateOne({ _id: mark }, now, {
      session,
      upsert: true,
    });
  }
  return present.length === ids.length;
}

/** Marks nothing without an id. */
export const markOneUsed = (
  connection: Connection,
  { name, id }: { readonly name: Marked; readonly id: string | null | undefined },
  session: Session,
): Promise<boolean> => markUsed(connection, { name, ids: id ? [id] : [] }, session);

/** For the transaction that deletes the record: conflicts with each use of it at the same time. */
export async function markDeleted(
  connection: Connection,
  { name, id }: { readonly name: Marked; readonly id: string },
  session: Session,
): Promise<void> {
  const marks = Array.from({ length: marksPerRecord }, (_, number) => ({
    updateOne: { filter: { _id: markOf(name, id, number) }, update: now, upsert: true },
  }));
  await collectionOf<Mark>(connection, collection).bulkWrite(marks, { session });
}

const markOf = (name: Marked, id: string, number: number): string => `${name}:${id}:${number}`;
