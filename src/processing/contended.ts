import type { ContactRecord } from '../domain/people/contact.ts';
import type { Lease } from './claim/lease.ts';

/**
 * Another writer changed the document first, or its write cannot be read yet (the first reads after a fail-over). The event is retried.
 */
export class Contended extends Error {
  override readonly name = 'Contended';
}

/**
 * Throws Contended when one of the contacts is erased. The erasure may have taken an event of this set too, so the lease is
 * verified first.
 */
export async function requireNoErased(
  found: readonly (Pick<ContactRecord, 'erased'> | null)[],
  lease: Lease,
): Promise<void> {
  if (!found.some((contact) => contact?.erased)) return;
  await lease.verify();
  throw new Contended('A contact was erased while its event was processed.');
}
