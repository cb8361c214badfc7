// This build and a copy of it with the next format version side by side on one database, rolled forward, back and forward again
// under the load of the chaos tests, behind a real load balancer. No earlier release was published: the copy stands for the next.
import { fork } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../../../scripts/lib/paths.mjs';
import { buildRelease } from '../../../scripts/lib/releases.mjs';
import { formatVersion } from '../../../src/domain/format-version.ts';
import { waitUntilSettled } from '../chaos/checker/settle.ts';
import type { Cluster, Release } from '../chaos/cluster/cluster.ts';
import { useDatabases } from '../chaos/cluster/databases.ts';
import { createTestBed, type TestBed } from '../chaos/cluster/test-bed.ts';
import { createRandom } from '../chaos/load/random.ts';
import { startLoad } from '../chaos/load/senders.ts';
import { createKnownContacts, checkStoredData } from '../chaos/run.ts';
import { startBalancer } from '../../support/services/balancer.ts';
import { startMongo, testMongoUrl } from '../../support/services/services.ts';

jest.setTimeout(1_200_000);

let testBed: TestBed;
let balancer: Awaited<ReturnType<typeof startBalancer>>;

// Before the databases, which end with a hook of their own.
afterAll(async () => {
  await testBed.close();
  await balancer.close();
});
const databases = useDatabases(startMongo);
const workingTree: Release = { root: repository };
const database = 'inlet_test_upgrade';
const seed = 20_261_123;
let nextRelease: Release;

async function balance({ servers }: Cluster): Promise<string> {
  const portOf = (url = '') => Number(new URL(url).port);
  balancer = await startBalancer(
    servers.map(({ url, opsUrl }) => ({ port: portOf(url), opsPort: portOf(opsUrl()) })),
  );
  for (const n of servers.keys()) await balancer.waitUntil(n, 'UP');
  return balancer.url;
}

beforeAll(async () => {
  const { folder, ...services } = databases();
  const { root } = (nextRelease = { root: join(folder, 'release') });
  await mkdir(root);
  await buildRelease({ version: 'next', commit: 'HEAD' }, root, () => raiseFormatVersion(root));
  testBed = await createTestBed({
    ...services,
    database,
    release: workingTree,
    servers: 2,
    workers: 2,
    leaseMs: 4_000,
    people: 40,
    folder: join(folder, 'run'),
    // The balancer needs two failed checks, which take their time on a busy machine.
    env: { INLET_DRAIN_DELAY_MS: '4000' },
    balance,
  });
});
/** Replaces one process after the other, servers and workers in turn. */
async function roll(release: Release): Promise<void> {
  const { servers, workers } = testBed.cluster;
  for (const [n, server] of servers.entries()) {
    await server.replaceBy(release);
    await balancer.waitUntil(n, 'UP');
    await workers[n]?.replaceBy(release);
    // Both releases run beside each other.
    await pause(2_000);
  }
}

/** Operators and agents act until it is stopped. Returns what failed. */
function startPeople() {
  const random = createRandom(seed);
  const failures: string[] = [];
  let isStopped = false;
  async function act(): Promise<void> {
    const note = (error: unknown) => void failures.push(String(error));
    while (!isStopped) {
      await testBed.operator.actAtRandom(random).catch(note);
      await testBed.actAsAgent(random).catch(note);
      await pause(500);
    }
  }
  const done = act();
  return {
    stop: async () => {
      isStopped = true;
      await done;
      return failures;
    },
  };
}

/** Changes nothing else: both releases read and write the same. */
async function raiseFormatVersion(root: string): Promise<void> {
  const file = join(root, 'src/domain/format-version.ts');
  const text = await readFile(file, 'utf8');
  const raised = text.replace(/formatVersion = \d+/, `formatVersion = ${formatVersion + 1}`);
  expect(raised).not.toBe(text);
  await writeFile(file, raised);
}

const releasesAlive = async () => {
  const found = await testBed.cluster.db.collection('processes').find().toArray();
  return found.map(({ release, formatVersion: version }) => `${release} ${version}`);
};

function runMigrate(...args: string[]): Promise<number | null> {
  const child = fork(join(nextRelease.root, 'dist/bin/migrate.js'), args, {
    env: { ...process.env, MONGODB_URL: testMongoUrl(database, databases().mongo.url) },
    execArgv: [],
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.once('close', resolve));
}

test('rolled forward, back and forward again, no delivery is answered 5xx and no promise is broken', async () => {
  const { operator, ledger } = testBed;
  await createKnownContacts(testBed);
  const load = startLoad(testBed.sender, { ...testBed, seed, producers: 6, pauseMs: 80 });
  const people = startPeople();
  await roll(nextRelease);
  await operator.improve('crm');
  await roll(workingTree);
  // Processes of an older format are alive.
  expect(await runMigrate('--contract')).toBe(65);
  await operator.improve('shop');
  await roll(nextRelease);
  expect(await people.stop()).toEqual([]);
  await load.stop();
  for (const name of ['form', 'crm', 'shop'] as const) await operator.resume(name);

  expect(await balancer.serverErrors()).toBe(0);
  expect(ledger.wrongAnswers).toEqual([]);
  const answered = ledger.sendings.filter(
    ({ answer }) => 'why' in answer && /^\d/.test(answer.why),
  );
  expect(answered).toEqual([]);

  const settled = await waitUntilSettled(testBed, {
    naturalMs: 30_000,
    fastForwardMs: 120_000,
  });
  const { verdict } = await checkStoredData(testBed, { settled, miscounts: [] });
  const broken = [...verdict].filter(([, breaches]) => breaches.length > 0);
  expect(broken).toEqual([]);
  const acknowledged = ledger.sendings.filter(({ answer }) => answer.kind === 'acknowledged');
  expect(acknowledged.length).toBeGreaterThan(500);
  process.stdout.write(
    `  ${ledger.sendings.length} deliveries, ${acknowledged.length} acknowledged\n`,
  );

  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(new Set(await releasesAlive())).toEqual(new Set([`${version} ${formatVersion + 1}`]));
  expect(await runMigrate('--contract')).toBe(0);
});
