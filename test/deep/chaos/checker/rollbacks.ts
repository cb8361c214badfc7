// Compares the documents that members of a replica set rolled back with the acknowledgements of the senders.
import type { Cluster } from '../cluster/cluster.ts';
import { isReplicaSet } from '../cluster/replica-set.ts';
import { acknowledged } from '../load/ledger.ts';
import type { Facts } from './invariants.ts';

export type Rollbacks = {
  /** All documents of this run's database that a rollback removed or set back. */
  readonly documents: number;
  /** The events that do not exist since. */
  readonly lostEvents: readonly string[];
  /** Those of them that a sender got acknowledged. */
  readonly acknowledged: readonly string[];
};

/** Returns null for a MongoDB of one member, which rolls nothing back. */
export async function readRollbacks(
  { mongo, db }: Cluster,
  { ledger, seen }: Facts,
): Promise<Rollbacks | null> {
  if (!isReplicaSet(mongo)) return null;
  const collections = await db.listCollections({}, { nameOnly: false }).toArray();
  const rolledBack = mongo.rolledBack();
  let documents = 0;
  const lostEvents: string[] = [];
  for (const { name, info } of collections) {
    const ids = rolledBack.get(String(info?.uuid)) ?? new Set();
    documents += ids.size;
    if (name !== 'events') continue;
    const present = new Set(seen.events.map(({ id }) => id));
    lostEvents.push(...[...ids].filter((id) => !present.has(id)));
  }
  const acknowledgedIds = new Set(
    acknowledged(ledger.sendings).map(({ answer }) => answer.eventId),
  );
  return {
    documents,
    lostEvents,
    acknowledged: lostEvents.filter((id) => acknowledgedIds.has(id)),
  };
}
