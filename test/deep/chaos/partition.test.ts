// The primary is separated from the other members while events arrive. Those that it rolls back were not acknowledged, and the
// checker detects a write concern that acknowledges them.
import { join } from 'node:path';
import type { Rollbacks } from './checker/rollbacks.ts';
import { waitUntilSettled } from './checker/settle.ts';
import { startReplicaSet } from './cluster/replica-set.ts';
import { createTestBed } from './cluster/test-bed.ts';
import { partitionPrimary } from './faults/replica-set-scenario.ts';
import type { ReplicaSetMutationName } from './preload/mutations.mjs';
import { checkStoredData } from './run.ts';
import { useDatabases } from './cluster/databases.ts';

jest.setTimeout(600_000);

const databases = useDatabases(startReplicaSet);

const maxTries = 4;

/** What becomes of events that arrive while the primary is separated from the other members. */
async function outcomeOfPartition(
  isReached: (rollbacks: Rollbacks | null) => boolean,
  mutation?: ReplicaSetMutationName,
) {
  const { mongo, redis, folder } = databases();
  const name = mutation ? 'mutated' : 'plain';
  const testBed = await createTestBed({
    mongo,
    redis,
    database: `inlet_test_partition_${name}`,
    servers: 1,
    workers: 1,
    leaseMs: 2_000,
    people: 12,
    folder: join(folder, name),
    ...(mutation && { mutation }),
  });
  try {
    for (let tries = 1; ; tries += 1) {
      await partitionPrimary(testBed, mongo);
      const patience = { naturalMs: 20_000, fastForwardMs: 120_000 };
      const settled = await waitUntilSettled(testBed, patience);
      const outcome = await checkStoredData(testBed, { settled, miscounts: [] });
      // On a busy machine the events may arrive after the fail-over.
      if (isReached(outcome.rollbacks) || tries === maxTries) return outcome;
    }
  } finally {
    await testBed.close();
  }
}

test('events that a separated primary rolls back were not acknowledged', async () => {
  const { verdict, rollbacks } = await outcomeOfPartition((seen) => (seen?.documents ?? 0) > 0);
  expect(rollbacks?.documents).toBeGreaterThan(0);
  expect(rollbacks?.acknowledged).toEqual([]);
  expect(Object.fromEntries(verdict)).toEqual({});
});

test('the checker detects acknowledgements by the primary alone', async () => {
  const { verdict, rollbacks } = await outcomeOfPartition(
    (seen) => (seen?.acknowledged ?? []).length > 0,
    'write concern 1',
  );
  expect(rollbacks?.acknowledged).not.toEqual([]);
  expect([...verdict.keys()]).toContain('1 acknowledged is present');
});
