// Fail-over of a replica set of three members loses no acknowledged event. `npm run chaos -- --members 3` makes longer runs.
import { join } from 'node:path';
import { startReplicaSet } from './cluster/replica-set.ts';
import { detailsOf, tableOf } from './report.ts';
import { run } from './run.ts';
import { useDatabases } from './cluster/databases.ts';

jest.setTimeout(600_000);

const databases = useDatabases(startReplicaSet);

const seed = 7;
const faults = 9;
const deliveries = 50;

test(`${faults} faults of members and processes by seed ${seed} break no promise`, async () => {
  const { folder, ...services } = databases();
  const logs = join(folder, 'run');
  const result = await run({
    ...services,
    database: 'inlet_test_replica_set',
    seed,
    faults,
    deliveries,
    gapMs: 500,
    servers: 1,
    workers: 2,
    leaseMs: 2_000,
    people: 20,
    producers: 4,
    pauseMs: 150,
    folder: logs,
    patience: { naturalMs: 10_000, fastForwardMs: 240_000 },
    say: () => undefined,
  });
  try {
    const details = await detailsOf(result, logs);
    expect(details === '' ? '' : `${tableOf(result)}\n${details}`).toBe('');
    expect(result.rollbacks?.acknowledged).toEqual([]);
    expect(result.facts.ledger.sendings.length).toBeGreaterThan(deliveries);
  } finally {
    await result.testBed.close();
  }
});
