/** What people do with contacts: search, create, edit, merge and unmerge, resolve conflicts. */
import type { StoreContext } from '../audit/store-context.ts';
import { isDuplicateKey, mapStoreErrors } from '../db/errors.ts';
import { createConflictStore } from './conflicts.ts';
import { createContactQueries, contactQueryIndexes } from './contact-queries.ts';
import { contactCreationIndexes, createContactCreation } from './contact-creation.ts';
import { createContactEdit } from './contact-edits.ts';
import { createMerges, mergeIndexes } from './merges.ts';

export const peopleIndexes = [...contactQueryIndexes, ...contactCreationIndexes, ...mergeIndexes];

const maxTries = 5;

/**
 * Retries after a duplicate key error, at most `maxTries` times: a worker inserted a chat or an identity that the snapshot of
 * the transaction does not contain. Other errors are rethrown.
 */
function withRetries<Args extends readonly unknown[], Result>(
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
  const { create, counterpartIn, listCounterparts } = createContactCreation(context);
  const contactQueries = createContactQueries(connection);
  return mapStoreErrors({
    ...contactQueries,
    merge: withRetries(merge),
    unmerge: withRetries(unmerge),
    edit: withRetries(createContactEdit(context)),
    listCounterparts,
    create: withRetries(create),
    counterpartIn: withRetries(counterpartIn),
    ...createConflictStore(context),
  });
}
