/**
 * Processing: from the first POST to the last outcome, the time to work off a backlog, and what one event costs when it
 * comes alone. "Done" is read from the workers' own counters, so that watching costs MongoDB nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { activeWebhook } from './inlet.ts';
import { load, sendOne } from './load.ts';
import { histogramQuantile, total } from './numbers.ts';
import { startServer, startWorker, type Measured } from './processes.ts';
import { printTable } from './table.ts';

const events = 5_000;
const alone = 50;
const doneWithinSeconds = 180;
const lookEveryMs = 20;

const endToEnd = 'inlet_event_end_to_end_duration_seconds';

const seriesOf = (workers: readonly Measured[]) =>
  Promise.all(workers.map((worker) => worker.series()));

const processedBy = async (workers: readonly Measured[]): Promise<number> =>
  total(await seriesOf(workers), 'inlet_events_processed_total');

/** Resolves to the seconds until the workers have ended so many events since they started. */
async function untilProcessed(workers: readonly Measured[], count: number): Promise<number> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  while ((await processedBy(workers)) < count) {
    if (seconds() > doneWithinSeconds) throw new Error(`Not done in ${doneWithinSeconds} s.`);
    await pause(lookEveryMs);
  }
  return seconds();
}

async function costOf(workers: readonly Measured[]) {
  const usages = await Promise.all(workers.map((worker) => worker.usage()));
  const sum = (pick: (usage: (typeof usages)[number]) => number) =>
    usages.reduce((whole, usage) => whole + pick(usage), 0);
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    mongoMessages: sum(({ mongoMessages }) => mongoMessages),
    rssBytes: Math.max(...usages.map(({ rssBytes }) => rssBytes)),
  };
}

/** Everything that a run of `work` cost the workers, for each of its events. */
async function measured(
  workers: readonly Measured[],
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
    mongoMessages: (after.mongoMessages - before.mongoMessages) / count,
  };
}

type Run = Awaited<ReturnType<typeof measured>>;
const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0);

export async function benchProcessing(): Promise<void> {
  const rows: { name: string; run: Run; latency?: readonly [number, number] }[] = [];
  const server = await startServer();
  const secret = await activeWebhook(server.ready);
  let workerRss = 0;

  for (const size of [1, 2]) {
    const workers = await Promise.all(Array.from({ length: size }, () => startWorker()));
    const live = await measured(workers, async () => {
      const startedMs = performance.now();
      const { accepted, seconds } = await load(secret, { amount: events });
      await untilProcessed(workers, events);
      const receivedPerSecond = accepted / seconds;
      return { count: events, seconds: (performance.now() - startedMs) / 1_000, receivedPerSecond };
    });
    const series = await seriesOf(workers);
    const latency = [0.5, 0.99].map((share) =>
      histogramQuantile(series, { name: endToEnd, share }),
    );
    rows.push({
      name: `as they come, ${size} worker(s)`,
      run: live,
      latency: [latency[0] ?? 0, latency[1] ?? 0],
    });

    if (size === 1) {
      const single = await measured(workers, async () => {
        const startedMs = performance.now();
        for (let sent = 1; sent <= alone; sent += 1) {
          await sendOne(secret);
          await untilProcessed(workers, events + sent);
        }
        return { count: alone, seconds: (performance.now() - startedMs) / 1_000 };
      });
      rows.push({ name: 'one at a time, 1 worker', run: single });
    }
    workerRss = Math.max(workerRss, (await costOf(workers)).rssBytes);
    await Promise.all(workers.map((worker) => worker.stop()));
  }

  await load(secret, { amount: events });
  const fresh = await startWorker();
  rows.push({
    name: 'a backlog, 1 worker',
    run: await measured([fresh], async () => {
      const already = await processedBy([fresh]);
      return { count: events - already, seconds: await untilProcessed([fresh], events) };
    }),
  });
  workerRss = Math.max(workerRss, (await costOf([fresh])).rssBytes);
  await fresh.stop();
  print(rows);
  const serverRss = (await server.usage()).rssBytes;
  printTable('Resident memory afterwards, MB', [
    ['server', 'worker'],
    [megabytes(serverRss), megabytes(workerRss)],
  ]);
  await server.stop();
}

function print(
  rows: readonly { name: string; run: Run; latency?: readonly [number, number] }[],
): void {
  const base = rows[0]?.run.perSecond ?? 1;
  const maybe = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? '';
  printTable(`Processing, ${events} events`, [
    ['', 's', 'per s', '÷ first', 'accepted per s', 'p50 s', 'p99 s', 'CPU µs', 'MongoDB messages'],
    ...rows.map(({ name, run, latency }) => [
      name,
      run.seconds.toFixed(1),
      run.perSecond.toFixed(0),
      (run.perSecond / base).toFixed(2),
      maybe(run.receivedPerSecond, 0),
      maybe(latency?.[0], 2),
      maybe(latency?.[1], 2),
      run.cpuMicros.toFixed(0),
      run.mongoMessages.toFixed(2),
    ]),
  ]);
}
