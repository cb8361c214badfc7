/**
 * Two contact ids for one person, of which at least one has no document yet: several workers each won one identity row.
 * The one without a document becomes a tombstone, so that whoever still means to make it is led to the other.
 */
import type { ContactStore } from '../../store/people/contacts.ts';
import { Contended } from './enrich.ts';

/** Resolves to the id that both are from now on, or to null when both are real contacts: a conflict to review. */
export type Unite = (a: string, b: string, channelId: string) => Promise<string | null>;

/** Every worker tries the larger id first, so that all who meet the same pair agree. */
export function createUnite(contacts: Pick<ContactStore, 'entomb' | 'getMany'>): Unite {
  return async function unite(a, b, channelId) {
    if (a === b) return a;
    const [small, large] = a < b ? [a, b] : [b, a];
    for (const [gone, stays] of [
      [large, small],
      [small, large],
    ] as const) {
      if (await contacts.entomb(gone, { mergedInto: stays, channelId })) return stays;
      const [inPlace] = await contacts.getMany([gone]);
      if (!inPlace) throw new Contended('What stands in a tombstone’s place cannot be read yet.');
      if (inPlace.erased)
        throw new Contended('A person was forgotten while an event was on the way.');
      if (inPlace.mergedInto !== undefined) return unite(inPlace.mergedInto, stays, channelId);
    }
    return null;
  };
}
