// A short run with random faults breaks no invariant; then each guarantee is broken on purpose, and the checker detects it.
// `npm run chaos` makes longer runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startMongo,
  startRedis,
  type TestMongo,
  type TestServer,
} from '../support/services/services.ts';
import type { InvariantName } from './checker/invariants.ts';
import type { MutationName } from './preload/mutations.mjs';
import { dossierOf, tableOf } from './report.ts';
import { conclude, judge, run } from './run.ts';
import { playScenario } from './faults/mutation-scenarios.ts';
import { settle } from './checker/settle.ts';
import { createTestBed } from './cluster/test-bed.ts';

jest.setTimeout(600_000);

let mongo: TestMongo;
let redis: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlet-chaos-'));
  [mongo, redis] = await Promise.all([startMongo(), startRedis()]);
});
afterAll(async () => {
  await Promise.all([mongo.close(), redis.close()]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const seed = 20_260_106;
const faults = 12;

test(`${faults} faults by seed ${seed} break no promise`, async () => {
  const logs = join(folder, 'run');
  const result = await run({
    mongo,
    redis,
    database: 'inlet_test_chaos',
    seed,
    faults,
    gapMs: 500,
    servers: 1,
    workers: 3,
    leaseMs: 2_000,
    people: 20,
    producers: 4,
    pauseMs: 150,
    folder: logs,
    patience: { naturalMs: 10_000, hastenedMs: 60_000 },
    say: () => undefined,
  });
  try {
    const dossier = await dossierOf(result, logs);
    expect(dossier === '' ? '' : `${tableOf(result)}\n${dossier}`).toBe('');
    expect(result.facts.ledger.sendings.length).toBeGreaterThan(100);
  } finally {
    await result.stage.close();
  }
});

/** The invariants that detect each mutation. */
const detectedBy: Readonly<Record<MutationName, readonly InvariantName[]>> = {
  'ack before insert': ['1 acknowledged is present', '3 one message for each event'],
  'no fence': ['2 everything comes to its end'],
  'no unique index': ['1 acknowledged is present', '3 one message for each event'],
  'finish before messages': ['3 one message for each event'],
  'sweeper off': ['2 everything comes to its end', '3 one message for each event'],
  'fan-out not idempotent': ['3 one message for each event'],
  'alone not exclusive': ['9 nothing is given up without cause'],
};
const names = Object.keys(detectedBy) as MutationName[];

const stageFor = (mutation?: MutationName) =>
  createTestBed({
    mongo,
    redis,
    database: `inlet_test_${(mutation ?? 'none').replaceAll(/\W/g, '_')}`,
    servers: 1,
    workers: mutation && mutation !== 'no fence' ? 1 : 2,
    leaseMs: 2_000,
    people: 12,
    folder: join(folder, mutation ?? 'none'),
    ...(mutation && { mutation }),
  });

test('without a mutation no scenario breaks an invariant', async () => {
  const stage = await stageFor();
  try {
    for (const name of names) await playScenario(name, stage);
    const { verdict } = await conclude(stage, { naturalMs: 20_000, hastenedMs: 10_000 });
    expect(Object.fromEntries(verdict)).toEqual({});
  } finally {
    await stage.close();
  }
});

test.each(names)('the checker detects a broken guarantee: %s', async (mutation) => {
  const stage = await stageFor(mutation);
  try {
    await playScenario(mutation, stage);
    const patience = { naturalMs: 5_000, hastenedMs: 4_000 };
    const settled = await settle(stage.cluster, stage.operator, patience);
    const { verdict } = await judge(stage, { settled, miscounts: [] });
    expect([...verdict.keys()]).toEqual(expect.arrayContaining([...detectedBy[mutation]]));
  } finally {
    await stage.close();
  }
});
