/** What people do to contacts: look for them, merge them and take that back, edit them, settle conflicts. */
import type { Clock } from '../../base/clock.ts';
import type { Connection } from '../connection.ts';
import { isDuplicateKey } from '../errors.ts';
import { mapStoreErrors } from '../model.ts';
import { createConflictStore } from './conflicts.ts';
import { createContactQueries, contactQueryIndexes } from './directory.ts';
import { createContactEdit } from './editing.ts';
import { createMerges, mergeIndexes } from './merging.ts';

export const peopleIndexes = [...contactQueryIndexes, ...mergeIndexes];

const maxTries = 5;

/** A worker made a chat or an identity at the same moment, which the transaction could not see: it sees it the next time. */
function insisting<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run(...args);
      } catch (error) {
        if (!isDuplicateKey(error) || tries === maxTries) throw error;
      }
    }
  };
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;

export function createPeopleStore(connection: Connection, clock: Clock) {
  const { merge, unmerge } = createMerges(connection, clock);
  const directory = createContactQueries(connection);
  return mapStoreErrors({
    ...directory,
    merge: insisting(merge),
    unmerge: insisting(unmerge),
    edit: insisting(createContactEdit(connection, clock)),
    ...createConflictStore(connection, clock),
  });
}
