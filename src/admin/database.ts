/** Verifies what the promises rest on, as after a restore: the unique indexes, and the secrets under the configured keys. */
import type { AdminDeps } from './dependencies.ts';

type DatabaseDeps = Pick<AdminDeps, 'databaseState' | 'storedSecrets' | 'vault'>;

export const createDatabase = ({ databaseState, storedSecrets, vault }: DatabaseDeps) => ({
  verify: async () => ({
    missingIndexes: await databaseState.missingIndexes(),
    secrets: await storedSecrets.verify(vault),
  }),
});
