/** Accepting, and processing the events of one webhook: a backlog, small sets, as they come and one at a time. */
import { secondsToProcess } from '../compare.ts';
import { createActiveWebhook } from '../data/create-webhook.ts';
import { createReturningBodies, lastNumber, nextBody } from '../data/lead.ts';
import { sizesOf } from '../footprint.ts';
import { sendLoad, sendOne } from '../load.ts';
import { countProcessed, waitUntilProcessed } from '../measure/progress.ts';
import type { Figures } from '../measure/save-figures.ts';
import { median, totalsOf } from '../measure/statistics.ts';
import type { MeasuredProcess } from '../processes.ts';
import { backlog, events } from '../processing.ts';
import { mongoCpuMs, timesSince, type Db, type Installation } from './installation.ts';

const smallSet = 10;
const smallSets = 20;
const alone = 20;
const ofPerson = ['events', 'contacts', 'identities', 'chats', 'messages'];

async function bytesOf(db: Db) {
  const sizes = await sizesOf(db);
  const sum = (part: 'data' | 'indexes') =>
    ofPerson.reduce((bytes, name) => bytes + (sizes.get(name)?.[part] ?? 0), 0);
  return { documents: sum('data'), indexes: sum('indexes') };
}
type Bytes = Awaited<ReturnType<typeof bytesOf>>;

function growthOf(before: Bytes, after: Bytes): Figures {
  const documents = (after.documents - before.documents) / events - Buffer.byteLength(nextBody());
  const name = 'new people: bytes of a done event beyond its body';
  return {
    [`${name}, documents`]: documents,
    [`${name}, with indexes`]: documents + (after.indexes - before.indexes) / events,
  };
}

async function accept(installation: Installation, url: string): Promise<Figures> {
  const [mongoMs, { cpuMs }] = [mongoCpuMs(), await installation.server.usage()];
  await sendLoad(url, { amount: events });
  const after = await installation.server.usage();
  return {
    'accept: MongoDB CPU, µs a request': ((mongoCpuMs() - mongoMs) * 1_000) / events,
    'accept: server CPU, µs a request': ((after.cpuMs - cpuMs) * 1_000) / events,
  };
}

/** Runs `work` and returns the mean time and size of the sets of the worker. */
async function setsOf(worker: MeasuredProcess, work: () => Promise<unknown>) {
  const totals = async () => {
    const series = await worker.series();
    const sizes = totalsOf(series, 'inlet_set_events');
    return { seconds: totalsOf(series, 'inlet_set_duration_seconds').sum, ...sizes };
  };
  const before = await totals();
  await work();
  const after = await totals();
  const sets = after.count - before.count;
  return {
    ms: ((after.seconds - before.seconds) * 1_000) / sets,
    events: (after.sum - before.sum) / sets,
  };
}

async function backlogOfNew(worker: MeasuredProcess): Promise<Figures> {
  let cost: Awaited<ReturnType<typeof backlog>>['run'] | undefined;
  const sets = await setsOf(worker, async () => {
    cost = (await backlog('new people', [worker])).run;
  });
  return {
    'new people: MongoDB CPU, µs an event': cost?.mongoCpuMicros ?? Number.NaN,
    'new people: worker CPU, µs an event': cost?.cpuMicros ?? Number.NaN,
    'new people: backlog, events a second': cost?.perSecond ?? Number.NaN,
    'full sets of new people: time of a set, ms': sets.ms,
    'full sets of new people: events of a set': sets.events,
  };
}

async function inSmallSets(worker: MeasuredProcess, url: string): Promise<Figures> {
  const count = smallSets * smallSet;
  const before = { done: await countProcessed([worker]), mongoMs: mongoCpuMs() };
  const sets = await setsOf(worker, async () => {
    for (let done = smallSet; done <= count; done += smallSet) {
      await Promise.all(Array.from({ length: smallSet }, () => sendOne(url)));
      await waitUntilProcessed([worker], before.done + done);
    }
  });
  return {
    'ten new people at once: time of a set, ms': sets.ms,
    'ten new people at once: events of a set': sets.events,
    'ten new people at once: MongoDB CPU with accepting, µs an event':
      ((mongoCpuMs() - before.mongoMs) * 1_000) / count,
  };
}

async function oneAtATime(
  installation: Installation,
  worker: MeasuredProcess,
  url: string,
): Promise<Figures> {
  const [already, since] = [await countProcessed([worker]), new Date()];
  for (let sent = 1; sent <= alone; sent += 1) {
    await sendOne(url);
    await waitUntilProcessed([worker], already + sent);
  }
  return { 'one at a time: p50, ms': median(await timesSince(installation.db, since)) };
}

async function backlogOfReturning(
  installation: Installation,
  url: string,
  person: number,
): Promise<Figures> {
  await sendLoad(url, { amount: events, body: createReturningBodies(person) });
  const worker = await installation.startWorker();
  const { run } = await backlog('returning people', [worker]);
  await worker.stop();
  return {
    'returning people: MongoDB CPU, µs an event': run.mongoCpuMicros ?? Number.NaN,
    'returning people: worker CPU, µs an event': run.cpuMicros,
    'returning people: backlog, events a second': run.perSecond,
  };
}

/** Returns a function that runs one round. */
export async function createPeopleRounds(
  installation: Installation,
): Promise<() => Promise<Figures>> {
  const url = await createActiveWebhook(installation.server.ready);
  return async function runRound() {
    const [person, bytesBefore] = [lastNumber(), await bytesOf(installation.db)];
    const accepted = await accept(installation, url);
    const worker = await installation.startWorker();
    const processed = await backlogOfNew(worker);
    const bytes = growthOf(bytesBefore, await bytesOf(installation.db));
    const small = await inSmallSets(worker, url);
    const asTheyCome = events / (await secondsToProcess(url, worker));
    const single = await oneAtATime(installation, worker, url);
    await worker.stop();
    return {
      ...processed,
      ...(await backlogOfReturning(installation, url, person)),
      ...small,
      'as they come: events a second': asTheyCome,
      ...single,
      ...accepted,
      ...bytes,
    };
  };
}
