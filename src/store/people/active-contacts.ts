/** Counts active contacts from indexes only: all contacts except tombstones and contacts of test events. */
import { isTimeLimitExceeded } from '../db/errors.ts';
import { maxCountMs, maxTotal, type Counted } from '../db/queries.ts';
import type { Contacts } from './merge-tree.ts';

/** Returns an exact total up to `maxTotal`. A larger total is an estimate of MongoDB's, inexact after a crash. */
export async function countActiveContacts(contacts: Contacts): Promise<Counted> {
  const bounds = { maxTimeMS: maxCountMs };
  try {
    const [all, gone, tests] = await Promise.all([
      contacts.estimatedDocumentCount({ maxTimeMS: maxCountMs }),
      // The query has no channel, so MongoDB does not choose this index without a hint.
      contacts.countDocuments({ gone: true }, { hint: 'gone', ...bounds }),
      // A test contact never becomes a tombstone: it is deleted with its test event.
      contacts.countDocuments({ test: { $exists: true } }, { hint: 'tests', ...bounds }),
    ]);
    const total = all - gone - tests;
    return { total, isExact: total <= maxTotal };
  } catch (error) {
    if (!isTimeLimitExceeded(error)) throw error;
    return { total: 0, isExact: false };
  }
}
