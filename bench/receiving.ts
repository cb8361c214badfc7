/** Receiving by Inlet, an empty Express and a bare node:http, in turns, so that other load on the machine affects all. */
import { createActiveWebhook } from './data/create-webhook.ts';
import { sendLoad, usualConnections } from './load.ts';
import { median, quantile } from './measure/statistics.ts';
import { startProcess, startServer, startWorker, type MeasuredProcess } from './processes.ts';
import { printTable } from './measure/print-table.ts';

const rounds = 3;
const seconds = 3;

type Target = { readonly name: string; readonly process: MeasuredProcess; readonly url: string };
type Round = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the measured process in microseconds. */
  readonly cpuMicros: number;
  readonly mongoMessages: number;
};

/** `rate`: requests a second; without it as many as are taken. */
export async function runRound(
  { process, url }: Pick<Target, 'process' | 'url'>,
  load: { readonly rate?: number; readonly connections?: number } = {},
): Promise<Round> {
  const before = await process.usage();
  const { accepted, seconds: took, latenciesMs } = await sendLoad(url, { seconds, ...load });
  const after = await process.usage();
  return {
    perSecond: accepted / took,
    p50: quantile(latenciesMs, 0.5),
    p99: quantile(latenciesMs, 0.99),
    cpuMicros: ((after.cpuMs - before.cpuMs) * 1_000) / accepted,
    mongoMessages: (after.mongoMessages - before.mongoMessages) / accepted,
  };
}

function rowOf(name: string, ran: readonly Round[], base: readonly Round[]): string[] {
  const of = (pick: (round: Round) => number) => median(ran.map(pick));
  const ratio = (pick: (round: Round) => number) =>
    median(ran.map((round, index) => pick(round) / pick(base[index] ?? round)));
  return [
    name,
    of(({ perSecond }) => perSecond).toFixed(0),
    ratio(({ perSecond }) => perSecond).toFixed(2),
    of(({ p50 }) => p50).toFixed(1),
    of(({ p99 }) => p99).toFixed(1),
    of(({ cpuMicros }) => cpuMicros).toFixed(0),
    ratio(({ cpuMicros }) => cpuMicros).toFixed(2),
    of(({ mongoMessages }) => mongoMessages).toFixed(3),
  ];
}

export async function benchReceiving(): Promise<void> {
  const [http, express, server] = await Promise.all([
    startProcess('bench/baselines/node-http.js'),
    startProcess('bench/baselines/express.js'),
    startServer(),
  ]);
  const secret = await createActiveWebhook(server.ready);
  const targets: Target[] = [
    { name: 'node:http, nothing stored', process: http, url: http.ready.url ?? '' },
    { name: 'Express, nothing stored', process: express, url: express.ready.url ?? '' },
    { name: 'Inlet', process: server, url: secret },
  ];
  const results = new Map(targets.map(({ name }): [string, Round[]] => [name, []]));
  for (const { url } of targets) await sendLoad(url, { seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) results.get(target.name)?.push(await runRound(target));
  }
  const worker = await startWorker();
  const beside = { name: 'Inlet, a worker beside it', process: server, url: secret };
  const worked = [];
  for (let round = 0; round < rounds; round += 1) worked.push(await runRound(beside));
  results.set(beside.name, worked);

  const base = results.get('node:http, nothing stored') ?? [];
  printTable(`Receiving, ${usualConnections} connections, median of ${rounds} rounds`, [
    ['', 'per s', '÷ http', 'p50 ms', 'p99 ms', 'CPU µs', '÷ http', 'MongoDB messages'],
    ...[...results].map(([name, ran]) => rowOf(name, ran, base)),
  ]);
  await Promise.all([http, express, worker].map((process) => process.stop()));
  await server.stop();
}
