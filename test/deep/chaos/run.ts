// One run: starts a cluster, load and faults, waits until all events have ended, and checks the invariants.
import { setTimeout as pause } from 'node:timers/promises';
import { createEventComposer } from './load/event-composer.ts';
import { createFaultInjector, type FaultInjector } from './faults/inject.ts';
import { check, type Facts, type Verdict } from './checker/invariants.ts';
import { findWrongMetrics } from './checker/metrics.ts';
import { readRollbacks, type Rollbacks } from './checker/rollbacks.ts';
import { observeState } from './checker/observed-state.ts';
import { observeDestinations } from './destinations/facts.ts';
import { startLoad } from './load/senders.ts';
import { createRandom, type Random } from './load/random.ts';
import { schedule, type Fault, type ScheduleOptions } from './faults/schedule.ts';
import { waitUntilSettled, type SettleLimits, type Settled } from './checker/settle.ts';
import { isReplicaSet } from './cluster/replica-set.ts';
import { checkSteadySender, removeAbuse, startAbuse, type AbuseResult } from './abuse/abuse.ts';
import { watchMemory, type MemoryUse } from './abuse/memory.ts';
import { createTestBed, type TestBed, type TestBedOptions } from './cluster/test-bed.ts';

type Conclusion = {
  readonly settled: Settled;
  readonly facts: Facts;
  readonly verdict: Verdict;
  /** Null for a MongoDB of one member. */
  readonly rollbacks: Rollbacks | null;
};

/** After the last fault: waits until all events have ended, compares the metrics, and checks the invariants. */
export async function settleAndCheck(
  testBed: TestBed,
  patience: SettleLimits,
): Promise<Conclusion> {
  const settled = await settleAll(testBed, patience);
  return checkStoredData(testBed, await withMetrics(testBed, settled, patience));
}

async function settleAll(testBed: TestBed, patience: SettleLimits): Promise<Settled> {
  const { operator, destinations } = testBed;
  for (const name of ['form', 'crm', 'shop'] as const) await operator.resume(name);
  destinations?.noticeTargets.heal();
  const settled = await waitUntilSettled(testBed, patience);
  if (!destinations || !settled.isSettled) return settled;
  await destinations.finish();
  const { isSettled, replayed } = await waitUntilSettled(testBed, patience);
  return { ...settled, isSettled, replayed: settled.replayed + replayed };
}

/** Adds the times in which the machine was too busy to the faults. */
async function withMetrics(testBed: TestBed, settled: Settled, { naturalMs }: SettleLimits) {
  const { cluster, ledger } = testBed;
  const after = cluster.leaseMs + aftermathMs;
  for (const { from, until } of cluster.stalls)
    ledger.faults.push({ name: 'stall', from, until: until + after, mayCostLease: true });
  return {
    settled,
    miscounts: settled.isSettled ? await findWrongMetrics(testBed, naturalMs) : [],
  };
}

/** Like `conclude`; checks and deletes what the steady sender and the attackers left before the ledger is compared. */
async function concludeWith(testBed: TestBed, patience: SettleLimits, done?: AbuseResult) {
  const { cluster, abuseTargets: targets } = testBed;
  if (!done || !targets) return { ...(await settleAndCheck(testBed, patience)), report: null };
  const settled = await settleAll(testBed, patience);
  const breaches = await checkSteadySender(cluster, targets, done);
  await removeAbuse(cluster, targets);
  const concluded = await checkStoredData(testBed, await withMetrics(testBed, settled, patience));
  return { ...concluded, report: { ...done, breaches } };
}

/** Checks the stored data against the ledger. */
export async function checkStoredData(
  testBed: TestBed,
  { settled, miscounts }: { settled: Settled; miscounts: readonly string[] },
): Promise<Conclusion> {
  const { api, cluster, ledger, people, targets, operator, destinations: outbound } = testBed;
  const all = await observeState(api, cluster);
  const { destinations, rest: seen } = outbound
    ? await observeDestinations({ ...outbound, api, cluster, faults: ledger.faults }, all)
    : { destinations: null, rest: all };
  const { deadBeforeReplay } = operator;
  const facts = { ledger, targets, people, miscounts, seen, deadBeforeReplay, destinations };
  const rollbacks = await readRollbacks(cluster, facts);
  return { settled, facts, verdict: check(facts), rollbacks };
}

/** Creates the contacts of half of the people before the first fault. */
export async function createKnownContacts(testBed: TestBed): Promise<void> {
  const { people, sender, ledger } = testBed;
  const random = createRandom(1);
  const composer = createEventComposer(people, random, 'hello');
  const known = people.filter(({ isKnown }) => isKnown);
  await Promise.all(
    known.flatMap((person) =>
      (['crm', 'shop'] as const).map((webhook) =>
        sender.deliver(composer.firstEvent(webhook, person), random),
      ),
    ),
  );
  const { isSettled } = await waitUntilSettled(testBed, {
    naturalMs: 120_000,
    fastForwardMs: 0,
  });
  if (!isSettled) throw new Error(`The introductions did not settle (${ledger.sendings.length}).`);
}

type RunOptions = TestBedOptions &
  Pick<ScheduleOptions, 'seed' | 'gapMs'> & {
    /** How many happen; the run ends earlier when `seconds` have passed. */
    readonly faults: number;
    readonly seconds?: number;
    /** Whether attackers act beside the steady sender. */
    readonly hasAttackers?: boolean;
    /** How many deliveries are sent at least. Default: those that are sent until the faults are over. */
    readonly deliveries?: number;
    /** A small file system with MongoDB's data; faults may fill it. */
    readonly disk?: string;
    readonly producers: number;
    readonly pauseMs: number;
    readonly patience: SettleLimits;
    readonly say: (line: string) => void;
  };

type FaultCounts = Map<string, { happened: number; missed: number }>;
export type RunResult = Conclusion & {
  readonly tally: FaultCounts;
  readonly testBed: TestBed;
  readonly memory: MemoryUse;
  /** Null without a steady sender. */
  readonly abuse: AbuseReport | null;
};
type AbuseReport = AbuseResult & { readonly breaches: readonly string[] };

const maxFaultsAtOnce = 6;
/** In each channel. */
const conversationLoad = { people: 6, pauseMs: 1_200 };
const actEveryMs = 2_500;
const aftermathMs = 1_000;

function abuseOf(testBed: TestBed, { hasAttackers = false }: RunOptions) {
  const { abuseTargets: targets, api, cluster, urls } = testBed;
  return targets && startAbuse({ api, cluster, targets, urls, hasAttackers });
}

export async function run(options: RunOptions): Promise<RunResult> {
  const { seed, say } = options;
  const testBed = await createTestBed(options);
  try {
    await createKnownContacts(testBed);
    say(
      `${testBed.people.length} people, ${testBed.cluster.members.length} processes; faults begin`,
    );
    const load = startLoad(testBed.sender, { ...options, ...testBed });
    const conversations = testBed.destinations?.start({ ...options, ...conversationLoad });
    const abuse = abuseOf(testBed, options);
    const memory = watchMemory(testBed.cluster.members);
    const faults = createFaultInjector(testBed, options.disk ?? '');
    const people = createRandom(seed + 1);
    let isOver = false;
    const acting = (async () => {
      while (!isOver) {
        await pause(actEveryMs);
        const actors = [
          (random: Random) => testBed.operator.actAtRandom(random),
          testBed.actAsAgent,
        ];
        for (const act of actors) {
          await act(people).catch((error: unknown) =>
            say(`  an operator call failed: ${String(error)}`),
          );
        }
      }
    })();
    const tally = await injectFaults(faults, options, testBed);
    await heal(faults, say);
    while (testBed.ledger.sendings.length <= (options.deliveries ?? 0)) await pause(actEveryMs);
    isOver = true;
    await acting;
    await Promise.all([load.stop(), conversations?.stop()]);
    const done = await abuse?.stop();
    say(`faults over; ${testBed.ledger.sendings.length} deliveries; waiting for the end`);
    const { report, ...concluded } = await concludeWith(testBed, options.patience, done);
    return { ...concluded, abuse: report, memory: memory.stop(), tally, testBed };
  } catch (error) {
    await testBed.close();
    throw error;
  }
}

/** Injects faults until `options.faults` have happened: several at a time, one for each target. */
async function injectFaults(
  faults: FaultInjector,
  options: RunOptions,
  { operator, ledger }: TestBed,
): Promise<FaultCounts> {
  const tally: FaultCounts = new Map();
  const busy = new Map<string, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  let happened = 0;
  const deadline = Date.now() + (options.seconds ?? Infinity) * 1_000;

  async function one(fault: Fault, before: Promise<void> | undefined): Promise<void> {
    await before;
    const name = faults.name(fault);
    const counts = tally.get(name) ?? { happened: 0, missed: 0 };
    tally.set(name, counts);
    const from = Date.now();
    const did = await faults.happen(fault).catch((error: unknown) => {
      options.say(`  ${name} failed: ${String(error)}`);
      return null;
    });
    if (did !== false) {
      // A stalled or blocked process needs some time to continue.
      const until = Date.now() + options.leaseMs + aftermathMs;
      ledger.faults.push({ name, from, until, mayCostLease: faults.mayCostLease(fault) });
    }
    if (did) happened += 1;
    counts[did ? 'happened' : 'missed'] += 1;
  }

  const hasOwnDisk = options.disk !== undefined;
  const hasReplicaSet = isReplicaSet(options.mongo);
  const { hasDestinations = false } = options;
  for (const fault of schedule({ ...options, hasOwnDisk, hasReplicaSet, hasDestinations })) {
    if (Date.now() > deadline) break;
    if (happened + underWay.size >= options.faults) {
      if (happened >= options.faults) break;
      await Promise.race(underWay);
      if (happened + underWay.size >= options.faults) continue;
    }
    await pause(fault.gapMs);
    const target = faults.target(fault);
    const running = one(fault, busy.get(target)).finally(() => underWay.delete(running));
    busy.set(target, running);
    underWay.add(running);
    while (underWay.size >= maxFaultsAtOnce) await Promise.race(underWay);
    if (fault.number % 20 === 0)
      options.say(`  ${happened} faults, ${ledger.sendings.length} deliveries`);
    if (happened > options.faults * 0.4) {
      void operator.improve('strict').catch(() => undefined);
      void operator.improve('crm').catch(() => undefined);
    }
  }
  await Promise.all(underWay);
  return tally;
}

/** Retries, because a database may be restarting. */
async function heal(faults: FaultInjector, say: (line: string) => void): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return await faults.heal();
    } catch (error) {
      say(`  healing: ${String(error)}`);
      await pause(1_000);
    }
  }
  throw new Error('The faults could not be healed.');
}
