/**
 * Inlet beside two simpler programs, in alternating rounds: accepting beside an empty Express, and events from the first POST
 * to the last outcome beside Express with BullMQ and one insert. Writes the figures to bench/results.json.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createActiveWebhook } from './data/create-webhook.ts';
import { sendLoad } from './load.ts';
import { printTable } from './measure/print-table.ts';
import { processedBy, untilProcessed } from './measure/progress.ts';
import { median } from './measure/statistics.ts';
import { startProcess, startServer, startWorker, type Measured } from './processes.ts';
import { backlog, events } from './processing.ts';
import { runRound } from './receiving.ts';

const rounds = 5;
/** From dist/bench to the sources. */
const resultsFile = join(import.meta.dirname, '../../bench/results.json');

type Figures = Readonly<Record<string, number>>;
type Target = { readonly process: Measured; readonly url: string };

async function acceptRound(inlet: Target, express: Target): Promise<Figures> {
  const [ours, theirs] = [await runRound(inlet), await runRound(express)];
  return {
    'server CPU for a request ÷ empty Express': ours.cpuMicros / theirs.cpuMicros,
    'server CPU for a request, µs': ours.cpuMicros,
    'accepted a second ÷ empty Express': ours.perSecond / theirs.perSecond,
    'accepted a second': ours.perSecond,
    'p99 at full load ÷ empty Express': ours.p99 / theirs.p99,
  };
}

async function secondsToProcess(url: string, worker: Measured): Promise<number> {
  const already = await processedBy([worker]);
  const startedMs = performance.now();
  await sendLoad(url, { amount: events });
  await untilProcessed([worker], already + events);
  return (performance.now() - startedMs) / 1_000;
}

type Pair = { readonly url: string; readonly worker: Measured };

async function processRound(inlet: Pair, baseline: Pair): Promise<Figures> {
  const [ours, theirs] = [
    await secondsToProcess(inlet.url, inlet.worker),
    await secondsToProcess(baseline.url, baseline.worker),
  ];
  return {
    'as they come ÷ Express, BullMQ and one insert': theirs / ours,
    'as they come, events a second': events / ours,
  };
}

async function backlogRound(url: string): Promise<Figures> {
  await sendLoad(url, { amount: events });
  const worker = await startWorker();
  const { run } = await backlog('a backlog', [worker]);
  await worker.stop();
  return {
    'backlog, events a second': run.perSecond,
    'worker CPU for an event, µs': run.cpuMicros,
    ...(run.mongoCpuMicros !== undefined && {
      'MongoDB CPU from claim to finish, µs': run.mongoCpuMicros,
    }),
  };
}

const shown = (value: number): string => value.toPrecision(3);

function report(ran: readonly Figures[]): void {
  const names = [...new Set(ran.flatMap((figures) => Object.keys(figures)))];
  const results = names.map((name) => {
    const values = ran.flatMap((figures) => figures[name] ?? []);
    return { name, median: median(values), from: Math.min(...values), to: Math.max(...values) };
  });
  printTable(`Median of ${rounds} alternating rounds`, [
    ['', 'median', 'from', 'to'],
    ...results.map((one) => [one.name, shown(one.median), shown(one.from), shown(one.to)]),
  ]);
  const rounded = results.map(({ name, ...values }) => ({
    name,
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [key, +shown(value)])),
  }));
  writeFileSync(resultsFile, `${JSON.stringify({ rounds, figures: rounded }, null, 2)}\n`);
}

export async function benchCompare(): Promise<void> {
  const [express, queueServer, queueWorker, server] = await Promise.all([
    startProcess('bench/baselines/express.js'),
    startProcess('bench/baselines/queue-server.js'),
    startProcess('bench/baselines/queue-worker.js'),
    startServer(),
  ]);
  const url = await createActiveWebhook(server.ready);
  const baseline = { url: queueServer.ready.url ?? '', worker: queueWorker };
  const ran: Figures[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const figures = [await backlogRound(url)];
    const worker = await startWorker();
    figures.push(await processRound({ url, worker }, baseline));
    await worker.stop();
    // The first round warms the processes up.
    if (round >= 0) ran.push(...figures);
  }
  // Last, because it leaves events that are not processed.
  const targets = [
    { process: server, url },
    { process: express, url: express.ready.url ?? '' },
  ] as const;
  for (let round = -1; round < rounds; round += 1) {
    const figures = await acceptRound(...targets);
    if (round >= 0) ran.push(figures);
  }
  report(ran);
  await Promise.all([express, queueServer, queueWorker].map((process) => process.stop()));
  await server.stop();
}
