/** What people do with contacts: search, create, edit, merge and unmerge, resolve conflicts. */
import { retryAfterDuplicate } from '../db/errors.ts';
import { createConflictStore } from './conflicts.ts';
import { createContactQueries, contactQueryIndexes } from './contact-queries.ts';
import { contactCreationIndexes, createContactCreation } from './contact-creation.ts';
import { createContactEdit } from './contact-edits.ts';
import { createMerges, mergeIndexes } from './merges.ts';
import { createOwnedIdentities } from './owned-identities.ts';
import type { Db } from '../db/connection.ts';

export const peopleIndexes = [...contactQueryIndexes, ...contactCreationIndexes, ...mergeIndexes];

const maxTries = 5;

/** Retries where a worker inserted a chat or an identity that the snapshot of the transaction does not contain. */
const withRetries =
  <Args extends readonly unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
  (...args: Args) =>
    retryAfterDuplicate(() => run(...args), maxTries);

export function createPeopleStore(context: Db) {
  const { merge, unmerge } = createMerges(context);
  const { create, counterpartIn, listCounterparts } = createContactCreation(context);
  return {
    ...createContactQueries(context.connection),
    ...createOwnedIdentities(context.connection),
    merge: withRetries(merge),
    unmerge: withRetries(unmerge),
    edit: withRetries(createContactEdit(context)),
    listCounterparts,
    create: withRetries(create),
    counterpartIn: withRetries(counterpartIn),
    ...createConflictStore(context),
  };
}
