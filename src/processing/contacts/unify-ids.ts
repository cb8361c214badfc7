/**
 * Makes two contact ids of one person one, where at least one of them has no document yet: several workers each won an
 * identity row. The id without a document becomes a tombstone, which leads later writers to the other.
 */
import type { ContactStore } from '../../store/people/contacts.ts';
import { Contended } from '../contended.ts';

type UnifyDeps = { readonly contacts: Pick<ContactStore, 'insertTombstone' | 'getMany'> };

type Pair = { readonly ids: readonly [string, string]; readonly channelId: string };

/**
 * Returns the id that both are from now on, or null when both are contacts: that is a conflict to review. Every worker tries
 * the larger id first, so that all workers with the same pair agree. Throws Contended.
 */
export async function unifyContactIds(deps: UnifyDeps, pair: Pair): Promise<string | null> {
  const { contacts } = deps;
  const { channelId } = pair;
  const [a, b] = pair.ids;
  if (a === b) return a;
  const [small, large] = a < b ? [a, b] : [b, a];
  for (const [gone, stays] of [
    [large, small],
    [small, large],
  ] as const) {
    if (await contacts.insertTombstone(gone, { mergedInto: stays, channelId })) return stays;
    const [existing] = await contacts.getMany([gone]);
    if (!existing) throw new Contended('The document of a contact cannot be read yet.');
    if (existing.erased) throw new Contended('A contact was erased while its event was processed.');
    if (existing.mergedInto !== undefined)
      return unifyContactIds(deps, { ids: [existing.mergedInto, stays], channelId });
  }
  return null;
}
