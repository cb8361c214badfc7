// The end of the leases of all sets, as another worker ends them.
import type { Connection } from '../../../src/store/db/connection.ts';
import { expireSet } from '../../../src/store/sets/expired-sets.ts';
import { listSets } from '../../../src/store/sets/sets.ts';

export async function endSets(connection: Connection): Promise<void> {
  for (const set of await listSets(connection)) await expireSet(connection, set);
}
