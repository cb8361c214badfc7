// Each guarantee is broken on purpose, and the checker detects it; without that, the same scenarios break no invariant.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startMongo } from '../../support/services/services.ts';
import type { InvariantName } from './checker/invariants.ts';
import { settleAndCheck, checkStoredData } from './run.ts';
import { playScenario, type SingleMutationName } from './faults/mutation-scenarios.ts';
import { waitUntilSettled } from './checker/settle.ts';
import { startCluster, type Cluster } from './cluster/cluster.ts';
import { createTestBed, type TestBed } from './cluster/test-bed.ts';
import { useDatabases } from './cluster/databases.ts';

jest.setTimeout(600_000);

let shared: Cluster | undefined;
// Before the databases are closed.
afterAll(() => shared?.close());

const databases = useDatabases(startMongo);

/** The invariants that detect each mutation. */
const detectedBy: Readonly<Record<SingleMutationName, readonly InvariantName[]>> = {
  'ack before insert': ['1 acknowledged is present', '3 one message for each event'],
  'no fence': ['2 everything comes to its end'],
  'no unique index': ['1 acknowledged is present', '3 one message for each event'],
  'outcomes before messages': ['3 one message for each event'],
  'sweeper off': ['2 everything comes to its end', '3 one message for each event'],
  'sets do not expire': ['2 everything comes to its end', '3 one message for each event'],
  'fan-out not idempotent': ['3 one message for each event'],
  'alone not exclusive': ['9 nothing is given up without cause'],
};
const names = Object.keys(detectedBy) as SingleMutationName[];

const optionsFor = (name: string) => {
  const { folder, ...services } = databases();
  const database = `inlet_test_${name}`;
  const own = join(folder, name);
  return { ...services, database, servers: 1, workers: 2, leaseMs: 2_000, people: 12, folder: own };
};

const collections = [
  'sets',
  'events',
  'identities',
  'contacts',
  'conflicts',
  'chats',
  'messages',
  'runs',
];

/** The processes are those of the test before, with other webhooks and without its data. */
async function testBedFor(mutation?: SingleMutationName): Promise<TestBed> {
  // A mutation of the indexes needs a database of its own.
  if (mutation === 'no unique index')
    return createTestBed({ ...optionsFor('indexes'), workers: 1, mutation });
  const options = optionsFor('shared');
  mkdirSync(options.folder, { recursive: true });
  const cluster = (shared ??= await startCluster(options));
  await Promise.all(cluster.members.map((member) => member.process().ready));
  for (const name of collections) await cluster.db.collection(name).deleteMany({});
  cluster.mutate(mutation ?? null);
  return createTestBed({ ...options, cluster });
}

test('without a mutation no scenario breaks an invariant', async () => {
  const testBed = await testBedFor();
  try {
    for (const name of names) await playScenario(name, testBed);
    const { verdict } = await settleAndCheck(testBed, {
      naturalMs: 20_000,
      fastForwardMs: 120_000,
    });
    expect(Object.fromEntries(verdict)).toEqual({});
  } finally {
    await testBed.close();
  }
});

const recheckMs = 5_000;

/** Plays the scenario of the mutation. The scenario of the fence, which no second time has the same effect, is checked again. */
async function invariantsBrokenBy(
  mutation: SingleMutationName,
  testBed: TestBed,
  { isFirst }: { readonly isFirst: boolean },
): Promise<readonly InvariantName[]> {
  if (isFirst || mutation !== 'no fence') await playScenario(mutation, testBed);
  else await pause(recheckMs);
  // Only some mutations keep events open for ever; the others are judged once everything has ended.
  const endsNever = detectedBy[mutation].includes('2 everything comes to its end');
  const patience = { naturalMs: 5_000, fastForwardMs: endsNever ? 4_000 : 120_000 };
  const settled = await waitUntilSettled(testBed, patience);
  const { verdict } = await checkStoredData(testBed, { settled, miscounts: [] });
  return [...verdict.keys()];
}

const isDetected = (mutation: SingleMutationName, broken: readonly InvariantName[]): boolean =>
  detectedBy[mutation].every((name) => broken.includes(name));

test.each(names)('the checker detects a broken guarantee: %s', async (mutation) => {
  const testBed = await testBedFor(mutation);
  try {
    // On a busy machine the faults may come too early or too late.
    let broken = await invariantsBrokenBy(mutation, testBed, { isFirst: true });
    for (let tries = 1; tries < 3 && !isDetected(mutation, broken); tries += 1)
      broken = await invariantsBrokenBy(mutation, testBed, { isFirst: false });
    expect(broken).toEqual(expect.arrayContaining([...detectedBy[mutation]]));
  } finally {
    await testBed.close();
  }
});
