/** Marks channels, agents, sectors and labels as used. */
import type { Failure } from '../../base/result.ts';
import { collectionOf, type Connection, type Session } from '../db/connection.ts';

type Marked = { readonly _id: string; readonly deletedAt?: Date | null; readonly usedAt?: Date };

/** Something that a change names was deleted. */
export type Gone = Failure<'gone'>;

/**
 * Returns functions that mark records in the transaction that starts to use them. The write makes a concurrent deletion
 * conflict. They return false when one of the records does not exist or is deleted.
 */
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
  const channels = markIn('channels');
  return {
    agents: markIn('agents'),
    sectors: markIn('sectors'),
    labels: markIn('labels'),
    channel: (id: string, session: Session) => channels([id], session),
  };
}

export const givenIds = (...ids: readonly (string | null | undefined)[]): string[] =>
  ids.flatMap((id) => id ?? []);
