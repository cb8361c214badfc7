/** Marks channels, agents, sectors and labels as used. */
import type { Failure } from '../../base/result.ts';
import { collectionOf, type Connection, type Session } from '../db/connection.ts';

type Marked = { readonly _id: string; readonly deletedAt?: Date | null; readonly usedAt?: Date };

/** Something that a change names was deleted. */
export type Gone = Failure<'gone'>;

/** The write makes a concurrent deletion conflict. Returns false when one of the records does not exist or is deleted. */
export function createUseMarks(connection: Connection) {
  const markIn = (name: string) => async (ids: readonly string[], session: Session) => {
    if (ids.length === 0) return true;
    const { matchedCount } = await collectionOf<Marked>(connection, name).updateMany(
      { _id: { $in: [...ids] }, deletedAt: null },
      { $currentDate: { usedAt: true } },
      { session },
    );
    return matchedCount === ids.length;
  };
  /** Marks nothing without an id. */
  const markOneIn = (name: string) => (id: string | null | undefined, session: Session) =>
    markIn(name)(id ? [id] : [], session);
  return {
    sectors: markIn('sectors'),
    labels: markIn('labels'),
    sector: markOneIn('sectors'),
    agent: markOneIn('agents'),
    channel: markOneIn('channels'),
  };
}
