// Checks the metrics of the processes. Counters restart at zero with each process, so they are compared over a quiet period
// with events that the client counts too. Gauges must be zero.
import { setTimeout as pause } from 'node:timers/promises';
import { createEventComposer } from '../load/event-composer.ts';
import type { Member } from '../cluster/cluster.ts';
import { createRandom } from '../load/random.ts';
import type { TestBed } from '../cluster/test-bed.ts';

const fresh = 20;
const resent = 5;

type Reading = ReadonlyMap<string, number>;

async function read(member: Member): Promise<Reading> {
  const response = await fetch(`${member.opsUrl() ?? ''}/metrics`);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('inlet_'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function readAll(members: readonly Member[]): Promise<Reading> {
  const sums = new Map<string, number>();
  for (const reading of await Promise.all(members.map(read))) {
    for (const [name, value] of reading) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}

const counters = /^inlet_\w+_total/;
const calmMs = 2_000;
const maxCalms = 15;

/** A set updates its counters after its events end, which takes its time on a busy machine. */
async function readWhenCalm(members: readonly Member[]): Promise<Reading> {
  let last = await readAll(members);
  for (let tries = 0; tries < maxCalms; tries += 1) {
    await pause(calmMs);
    const next = await readAll(members);
    const isCalm = [...next].every(
      ([name, value]) => !counters.test(name) || last.get(name) === value,
    );
    if (isCalm) return next;
    last = next;
  }
  return last;
}

const maxTries = 3;

/** Returns a sentence for each metric that is wrong. Measures again when a delivery gets no answer in time. */
export async function findWrongMetrics(testBed: TestBed, withinMs: number): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    const { wrong, isComplete } = await compareMetrics(testBed, withinMs, `quiet${tries}`);
    if (isComplete || tries === maxTries) return wrong;
  }
}

type Comparison = { readonly wrong: string[]; readonly isComplete: boolean };

/** `run`: a name for its events. */
async function compareMetrics(
  testBed: TestBed,
  withinMs: number,
  run: string,
): Promise<Comparison> {
  const { cluster, people, sender } = testBed;
  await Promise.all(cluster.members.map((member) => member.process().ready));
  const before = await readWhenCalm(cluster.members);
  const random = createRandom(7);
  // They are found by phone, so that it does not matter whether earlier events created them.
  const strangers = people.filter(({ isKnown }) => !isKnown);
  const composer = createEventComposer(strangers, random, run);
  const webhookRequests = Array.from({ length: fresh }, () => composer.compose('shop'));
  for (const webhookRequest of [...webhookRequests, ...webhookRequests.slice(0, resent)]) {
    const answer = await sender.once(webhookRequest, random, 'plain');
    if (answer.kind !== 'acknowledged')
      return { wrong: [`in quiet a delivery was ${answer.kind}`], isComplete: false };
  }
  const events = cluster.db.collection('events');
  const deadline = Date.now() + 60_000;
  while ((await events.countDocuments({ open: true })) > 0 && Date.now() < deadline) {
    await pause(100);
  }
  const agreed = {
    'inlet_events_received_total{mode="event"}': fresh + resent,
    inlet_events_duplicate_total: resent,
    'inlet_events_processed_total{outcome="done"}': fresh,
  };
  const atRest = ['inlet_in_flight{stage="receiving"}', 'inlet_in_flight{stage="processing"}'];
  // A set updates its counters shortly after its events end.
  for (const until = Date.now() + withinMs; ;) {
    const after = await readAll(cluster.members);
    const wrong = [
      ...Object.entries(agreed).flatMap(([name, must]) => {
        const is = (after.get(name) ?? 0) - (before.get(name) ?? 0);
        return is === must ? [] : [`${name} grew by ${is} and must grow by ${must}`];
      }),
      ...atRest.flatMap((name) => {
        const is = after.get(name) ?? 0;
        return is === 0 ? [] : [`${name} is ${is} at rest`];
      }),
    ];
    if (wrong.length === 0 || Date.now() > until) return { wrong, isComplete: true };
    await pause(200);
  }
}
