/** Counts active contacts by indexes alone: all contacts without tombstones and those of tests. */
import { majorityRead } from '../db/connection.ts';
import { isTimeLimitExceeded } from '../db/errors.ts';
import { maxCountMs, maxTotal, type Counted } from '../db/counted-page.ts';
import type { Contacts } from './merge-tree.ts';

/** Exact up to the bound of totals; beyond, as many as MongoDB has noted, which after a crash may be a few off. */
export async function countActiveContacts(contacts: Contacts): Promise<Counted> {
  const bounds = { maxTimeMS: maxCountMs, ...majorityRead };
  try {
    const [all, gone, tests] = await Promise.all([
      contacts.estimatedDocumentCount({ maxTimeMS: maxCountMs }),
      // Without a channel in the question, nothing leads MongoDB to this index.
      contacts.countDocuments({ gone: true }, { hint: 'gone', ...bounds }),
      // Those of a test are no tombstones: they are deleted with it.
      contacts.countDocuments({ test: { $exists: true } }, { hint: 'tests', ...bounds }),
    ]);
    const total = all - gone - tests;
    return { total, isExact: total <= maxTotal };
  } catch (error) {
    if (!isTimeLimitExceeded(error)) throw error;
    return { total: 0, isExact: false };
  }
}
