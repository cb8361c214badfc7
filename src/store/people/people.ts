/** Administration of contacts: search, merge and unmerge, edit, resolve conflicts. */
import type { StoreContext } from '../audit/store-context.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { mapStoreErrors } from '../db/model.ts';
import { createConflictStore } from './conflicts.ts';
import { createContactQueries, contactQueryIndexes } from './contact-queries.ts';
import { createContactEdit } from './contact-edits.ts';
import { createMerges, mergeIndexes } from './merges.ts';

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

export function createPeopleStore(context: StoreContext) {
  const { connection } = context;
  const { merge, unmerge } = createMerges(context);
  const directory = createContactQueries(connection);
  return mapStoreErrors({
    ...directory,
    merge: insisting(merge),
    unmerge: insisting(unmerge),
    edit: insisting(createContactEdit(context)),
    ...createConflictStore(context),
  });
}
