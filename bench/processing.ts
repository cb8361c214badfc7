/**
 * Processing: the time from the first POST to the last outcome, the time to process a backlog, and the cost of one event
 * at a time. Progress is read from the workers' own counters, which does not load MongoDB.
 */
import { createActiveWebhook } from './data/create-webhook.ts';
import { nextReturningBody } from './data/lead.ts';
import { sendLoad, sendOne } from './load.ts';
import { createMongoCpu } from './measure/mongo-cpu.ts';
import { countProcessed, waitUntilProcessed } from './measure/progress.ts';
import { histogramQuantile } from './measure/statistics.ts';
import { startServer, startWorker, type MeasuredProcess } from './processes.ts';
import { printTable } from './measure/print-table.ts';

export const events = 5_000;
const alone = 50;

const timeToDone = 'inlet_event_time_to_done_seconds';

const seriesOf = (workers: readonly MeasuredProcess[]) =>
  Promise.all(workers.map((worker) => worker.series()));

const mongoCpu = createMongoCpu();

async function costOf(workers: readonly MeasuredProcess[]) {
  const usages = await Promise.all(workers.map((worker) => worker.usage()));
  const sum = (pick: (usage: (typeof usages)[number]) => number) =>
    usages.reduce((whole, usage) => whole + pick(usage), 0);
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    mongoCpuMs: mongoCpu(),
    mongoMessages: sum(({ mongoMessages }) => mongoMessages),
    rssBytes: Math.max(...usages.map(({ rssBytes }) => rssBytes)),
  };
}

/** Runs `work` and returns the cost of each of its events for the workers. */
async function measured(
  workers: readonly MeasuredProcess[],
  work: () => Promise<{ count: number; seconds: number; receivedPerSecond?: number }>,
) {
  const before = await costOf(workers);
  const { count, seconds, receivedPerSecond } = await work();
  const after = await costOf(workers);
  return {
    count,
    seconds,
    receivedPerSecond,
    perSecond: count / seconds,
    cpuMicros: ((after.cpuMs - before.cpuMs) * 1_000) / count,
    mongoCpuMicros:
      after.mongoCpuMs === null || before.mongoCpuMs === null
        ? undefined
        : ((after.mongoCpuMs - before.mongoCpuMs) * 1_000) / count,
    mongoMessages: (after.mongoMessages - before.mongoMessages) / count,
  };
}

type Run = Awaited<ReturnType<typeof measured>>;
const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0);

type Row = {
  readonly name: string;
  readonly run: Run;
  readonly latency?: { readonly p50: number; readonly p99: number };
};

async function asTheyCome(secret: string, workers: readonly MeasuredProcess[]): Promise<Row> {
  const run = await measured(workers, async () => {
    const startedMs = performance.now();
    const { accepted, seconds } = await sendLoad(secret, { amount: events });
    await waitUntilProcessed(workers, events);
    const receivedPerSecond = accepted / seconds;
    return { count: events, seconds: (performance.now() - startedMs) / 1_000, receivedPerSecond };
  });
  const series = await seriesOf(workers);
  const latencyAt = (share: number) => histogramQuantile(series, { name: timeToDone, share });
  const name = `as they come, ${workers.length} worker${workers.length > 1 ? 's' : ''}`;
  return { name, run, latency: { p50: latencyAt(0.5), p99: latencyAt(0.99) } };
}

async function oneAtATime(secret: string, workers: readonly MeasuredProcess[]): Promise<Row> {
  const before = await countProcessed(workers);
  const run = await measured(workers, async () => {
    const startedMs = performance.now();
    for (let sent = 1; sent <= alone; sent += 1) {
      await sendOne(secret);
      await waitUntilProcessed(workers, before + sent);
    }
    return { count: alone, seconds: (performance.now() - startedMs) / 1_000 };
  });
  return { name: 'one at a time, 1 worker', run };
}

/** Processes stored events until the workers have processed `until` since they started. */
export async function backlog(
  name: string,
  workers: readonly MeasuredProcess[],
  until = events,
): Promise<Row> {
  const run = await measured(workers, async () => {
    const already = await countProcessed(workers);
    const seconds = await waitUntilProcessed(workers, until);
    return { count: (await countProcessed(workers)) - already, seconds };
  });
  return { name, run };
}

export async function benchProcessing(): Promise<void> {
  const server = await startServer();
  const secret = await createActiveWebhook(server.ready);
  const rows: Row[] = [];
  const memory: number[] = [];
  async function withWorkers(
    size: number,
    benches: ((those: MeasuredProcess[]) => Promise<Row>)[],
  ) {
    const workers = await Promise.all(Array.from({ length: size }, () => startWorker()));
    for (const bench of benches) rows.push(await bench(workers));
    memory.push((await costOf(workers)).rssBytes);
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  await withWorkers(1, [
    (those) => asTheyCome(secret, those),
    (those) => oneAtATime(secret, those),
  ]);
  await withWorkers(2, [(those) => asTheyCome(secret, those)]);
  await sendLoad(secret, { amount: events });
  await withWorkers(1, [(those) => backlog('a backlog, 1 worker', those)]);
  await sendLoad(secret, { amount: events, body: nextReturningBody });
  await withWorkers(1, [(those) => backlog('a backlog of people who return', those)]);
  print(rows);
  const { rssBytes } = await server.usage();
  printTable('Resident memory afterwards, MB', [
    ['server', 'largest worker'],
    [megabytes(rssBytes), megabytes(Math.max(...memory))],
  ]);
  await server.stop();
}

const headings =
  ',s,per s,÷ first,accepted per s,p50 s,p99 s,CPU µs,MongoDB CPU µs,MongoDB messages'.split(',');

function print(rows: readonly Row[]): void {
  const base = rows[0]?.run.perSecond ?? 1;
  const maybe = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? '';
  printTable(`Processing, ${events} events`, [
    headings,
    ...rows.map(({ name, run, latency }) => [
      name,
      run.seconds.toFixed(1),
      run.perSecond.toFixed(0),
      (run.perSecond / base).toFixed(2),
      maybe(run.receivedPerSecond, 0),
      maybe(latency?.p50, 2),
      maybe(latency?.p99, 2),
      // When a worker mostly waits, its CPU time is that of the polling.
      run.count < events / 2 ? '' : run.cpuMicros.toFixed(0),
      maybe(run.count < events / 2 ? undefined : run.mongoCpuMicros, 0),
      run.mongoMessages.toFixed(2),
    ]),
  ]);
}
