/**
 * Inlet beside two simpler programs, in alternating rounds: accepting beside an empty Express, and events from the first POST
 * to the last outcome beside Express with BullMQ and one insert. Writes the figures to bench/results.json.
 */
import { createActiveWebhook } from './data/create-webhook.ts';
import { createFairnessRounds } from './fairness.ts';
import { nextBody, nextReturningBody } from './data/lead.ts';
import { sendLoad } from './load.ts';
import { countProcessed, waitUntilProcessed } from './measure/progress.ts';
import { fairnessFigure, saveFigures, type Figures } from './measure/save-figures.ts';
import { startProcess, startServer, startWorker, type MeasuredProcess } from './processes.ts';
import { backlog, events } from './processing.ts';
import { runRound } from './receiving.ts';

/** BENCH_ROUNDS sets another number. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Four times the usual number: more requests share an insert. */
const manyConnections = 128;
type Target = { readonly process: MeasuredProcess; readonly url: string };

type Targets = { readonly inlet: Target; readonly express: Target };

async function acceptRound({ inlet, express }: Targets): Promise<Figures> {
  const [ours, theirs] = [await runRound(inlet), await runRound(express)];
  const [ourHalf, theirHalf] = [
    await runRound(inlet, { rate: Math.round(ours.perSecond / 2) }),
    await runRound(express, { rate: Math.round(theirs.perSecond / 2) }),
  ];
  const [ourMany, theirMany] = [
    await runRound(inlet, { connections: manyConnections }),
    await runRound(express, { connections: manyConnections }),
  ];
  return {
    'server CPU for a request ÷ empty Express': ours.cpuMicros / theirs.cpuMicros,
    'server CPU for a request, µs': ours.cpuMicros,
    'accepted a second ÷ empty Express': ours.perSecond / theirs.perSecond,
    'accepted a second': ours.perSecond,
    [`server CPU for a request ÷ empty Express, ${manyConnections} connections`]:
      ourMany.cpuMicros / theirMany.cpuMicros,
    [`accepted a second ÷ empty Express, ${manyConnections} connections`]:
      ourMany.perSecond / theirMany.perSecond,
    'p99 at full load ÷ empty Express': ours.p99 / theirs.p99,
    'p99 at half load ÷ empty Express': ourHalf.p99 / theirHalf.p99,
    'p99 at half load, ms': ourHalf.p99,
  };
}

export async function secondsToProcess(url: string, worker: MeasuredProcess): Promise<number> {
  const already = await countProcessed([worker]);
  const startedMs = performance.now();
  await sendLoad(url, { amount: events });
  await waitUntilProcessed([worker], already + events);
  return (performance.now() - startedMs) / 1_000;
}

type Pair = { readonly url: string; readonly worker: MeasuredProcess };

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

/** The cost of the first 5,000 events of a new worker, and of the next. */
async function costOfBacklog(url: string, body: () => string) {
  await sendLoad(url, { amount: 2 * events, body });
  const worker = await startWorker();
  const first = await backlog('a backlog', [worker]);
  const next = await backlog('a backlog', [worker], 2 * events);
  await worker.stop();
  return { run: first.run, warm: next.run };
}

async function backlogRound(url: string): Promise<Figures> {
  const { run, warm } = await costOfBacklog(url, nextBody);
  const { run: returning } = await costOfBacklog(url, nextReturningBody);
  return {
    'time of an event of a returning person ÷ of a new one': run.perSecond / returning.perSecond,
    'worker CPU of a returning person ÷ of a new one': returning.cpuMicros / run.cpuMicros,
    'backlog, events a second': run.perSecond,
    'worker CPU for an event, µs': run.cpuMicros,
    'worker CPU for an event after 5,000 others, µs': warm.cpuMicros,
    ...(run.mongoCpuMicros !== undefined && {
      'MongoDB CPU from claim to finish, µs': run.mongoCpuMicros,
      'MongoDB CPU of a returning person ÷ of a new one':
        (returning.mongoCpuMicros ?? NaN) / run.mongoCpuMicros,
    }),
  };
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
  const fairness = await createFairnessRounds({
    large: url,
    small: await createActiveWebhook(server.ready),
  });
  const ran: Figures[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const figures = [await backlogRound(url)];
    const worker = await startWorker();
    // As warm as the baseline's worker, which stays.
    await secondsToProcess(url, worker);
    figures.push(await processRound({ url, worker }, baseline));
    await worker.stop();
    const { fewMs, backlogMs } = await fairness.runRound();
    figures.push({ [fairnessFigure]: fewMs / backlogMs });
    // The first round warms the processes up.
    if (round >= 0) ran.push(...figures);
  }
  // Last, because it leaves events that are not processed.
  const accepting = {
    inlet: { process: server, url },
    express: { process: express, url: express.ready.url ?? '' },
  };
  for (let round = -1; round < rounds; round += 1) {
    const figures = await acceptRound(accepting);
    if (round >= 0) ran.push(figures);
  }
  saveFigures(`Median of ${rounds} alternating rounds`, ran);
  await fairness.close();
  await Promise.all([express, queueServer, queueWorker, server].map((process) => process.stop()));
}
