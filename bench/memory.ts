/** Resident memory of a server and a worker after a tenth of the events, and after all: it must not grow with their number. */
import { createActiveWebhook } from './data/create-webhook.ts';
import { sendLoad } from './load.ts';
import { waitUntilProcessed } from './measure/progress.ts';
import { saveFigures } from './measure/save-figures.ts';
import { startServer, startWorker, type MeasuredProcess } from './processes.ts';

/** BENCH_EVENTS sets another number. A million takes half an hour. */
const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
/** The worker ends each part before the next is sent, so that no backlog grows. */
const part = events / 100;

const megabytesOf = async (process: MeasuredProcess): Promise<number> =>
  (await process.usage()).rssBytes / 1_048_576;

export async function benchMemory(): Promise<void> {
  const server = await startServer();
  const worker = await startWorker();
  const url = await createActiveWebhook(server.ready);

  async function memoryAfter(count: number, sentBefore: number) {
    for (let sent = sentBefore; sent < count;) {
      // A server that is too busy answers 503: its memory is measured, not its speed.
      const { accepted } = await sendLoad(url, { amount: part, mayReject: true });
      sent += accepted;
      await waitUntilProcessed([worker], sent);
    }
    return { server: await megabytesOf(server), worker: await megabytesOf(worker) };
  }

  const early = await memoryAfter(events / 10, 0);
  const late = await memoryAfter(events, events / 10);
  saveFigures(`Resident memory after ${events} events`, [
    {
      'memory of the server, MB': late.server,
      'memory of the worker, MB': late.worker,
      [`memory of the server after ${events} events ÷ after a tenth`]: late.server / early.server,
      [`memory of the worker after ${events} events ÷ after a tenth`]: late.worker / early.worker,
    },
  ]);
  await worker.stop();
  await server.stop();
}
