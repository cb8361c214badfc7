// A short run with random faults breaks no invariant. `npm run chaos` makes longer runs.
import { join } from 'node:path';
import { startMongo } from '../../support/services/services.ts';
import { detailsOf, tableOf } from './report.ts';
import { run } from './run.ts';
import { useDatabases } from './cluster/databases.ts';

jest.setTimeout(600_000);

const databases = useDatabases(startMongo);

const seed = 20_260_106;
const faults = 12;
const deliveries = 100;

test(`${faults} faults by seed ${seed} break no promise`, async () => {
  const { folder, ...services } = databases();
  const logs = join(folder, 'run');
  const result = await run({
    ...services,
    database: 'inlet_test_chaos',
    seed,
    faults,
    deliveries,
    gapMs: 500,
    servers: 1,
    workers: 3,
    leaseMs: 2_000,
    people: 20,
    producers: 4,
    pauseMs: 150,
    hasDestinations: true,
    folder: logs,
    patience: { naturalMs: 10_000, fastForwardMs: 240_000 },
    say: () => undefined,
  });
  try {
    const details = await detailsOf(result, logs);
    expect(details === '' ? '' : `${tableOf(result)}\n${details}`).toBe('');
    expect(result.facts.ledger.sendings.length).toBeGreaterThan(deliveries);
  } finally {
    await result.testBed.close();
  }
});
