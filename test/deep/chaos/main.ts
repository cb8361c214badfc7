// `npm run chaos -- --faults N [--seed S]`: one long run, with its table. Exits with 1 when an invariant is broken.
// `--members 3` runs it on a replica set of three members, and `--seconds N` limits its time.
// `--steady` adds a sender whose answers are measured, and `--abuse` attackers beside it.
// `--disk folder` puts MongoDB's data there, and some faults fill that disk: use a small, separate file system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chaosOptions } from '../../../scripts/lib/chaos-options.mjs';
import { startMongo, startRedis } from '../../support/services/services.ts';
import { startReplicaSet } from './cluster/replica-set.ts';
import { detailsOf, abuseOf, memoryOf, sumsOf, tableOf } from './report.ts';
import { run, type RunResult } from './run.ts';

const { values } = parseArgs({ options: chaosOptions });

const number = (text: string, least: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  process.stderr.write(`Not a whole number from ${least}: ${text}\n`);
  process.exit(2);
};

if (!['1', '3'].includes(values.members) || (values.members === '3' && values.disk)) {
  process.stderr.write('MongoDB has 1 or 3 members, and --disk needs 1.\n');
  process.exit(2);
}
const seconds = values.seconds === undefined ? undefined : number(values.seconds, 1);
const faults =
  values.faults === undefined && seconds !== undefined
    ? Infinity
    : number(values.faults ?? '100', 1);

const startedAt = performance.now();
const say = (line: string): void => {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`);
};

const seed =
  values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : number(values.seed, 0);
const folder = mkdtempSync(join(tmpdir(), 'inlet-chaos-'));

async function main(): Promise<boolean> {
  const length = faults === Infinity ? `${String(seconds)} seconds` : `${faults} faults`;
  say(`seed ${seed}, ${length}; the processes' output goes to ${folder}`);
  const mongo = values.members === '3' ? await startReplicaSet() : await startMongo(values.disk);
  const redis = await startRedis();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The processes drain when this process ends. Twice, because a fault may be restarting a database.
    const close = () => Promise.allSettled([redis.close(), mongo.close()]);
    process.once(signal, () => {
      void close()
        .then(close)
        .then(() => process.exit(130));
    });
  }
  let result: RunResult | undefined;
  try {
    result = await run({
      mongo,
      redis,
      database: 'inlet_chaos_test',
      seed,
      ...(values.disk !== undefined && { disk: values.disk }),
      faults,
      hasDestinations: true,
      hasSteadySender: values.steady || values.abuse,
      hasAttackers: values.abuse,
      ...(seconds !== undefined && { seconds }),
      servers: number(values.servers, 1),
      workers: number(values.workers, 1),
      gapMs: number(values.gap, 1),
      leaseMs: 3_000,
      people: 60,
      producers: 6,
      pauseMs: 200,
      folder,
      // Attackers leave a backlog.
      patience: { naturalMs: values.abuse ? 300_000 : 60_000, fastForwardMs: 120_000 },
      say,
    });
    return await tell(result);
  } finally {
    await result?.testBed.close();
    await redis.close();
    await mongo.close();
  }
}

async function tell(result: RunResult): Promise<boolean> {
  process.stdout.write(`\nSeed ${seed}\n\n${tableOf(result)}\n\n${sumsOf(result)}\n`);
  process.stdout.write(`\n${memoryOf(result)}\n\n${abuseOf(result)}\n`);
  if (result.verdict.size === 0 && !result.abuse?.breaches.length) {
    process.stdout.write('\nEvery invariant holds.\n');
    return true;
  }
  if (!result.settled.isSettled)
    process.stdout.write('\nNot settled: the invariants were checked while events were open.\n');
  const details = await detailsOf(result, folder);
  writeFileSync(join(folder, 'breaches.txt'), details);
  writeFileSync(join(folder, 'ledger.json'), JSON.stringify(result.facts.ledger));
  process.stdout.write(`${details}\n\nBroken. Logs, ledger and details: ${folder}\n`);
  return false;
}

const holds = await main();
if (holds) rmSync(folder, { recursive: true, force: true });
process.exit(holds ? 0 : 1);
