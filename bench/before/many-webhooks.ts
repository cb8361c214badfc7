/** A backlog of one event each of many webhooks: MongoDB's CPU and the reads of webhooks and channels by a new worker. */
import { copyWebhooks } from '../data/copy-webhooks.ts';
import { createActiveWebhook } from '../data/create-webhook.ts';
import { sendLoad } from '../load.ts';
import type { Figures } from '../measure/save-figures.ts';
import type { MeasuredProcess } from '../processes.ts';
import { backlog } from '../processing.ts';
import type { Db, Installation } from './installation.ts';

export const manyWebhooks = 10_000;

type Counts = { readonly readLock?: { readonly count: number } };

/** Returns the reads of webhooks and channels since MongoDB started; NaN when it does not tell. */
async function definitionReads(db: Db): Promise<number> {
  const { totals = {} } = await db
    .admin()
    .command({ top: 1 })
    .catch(() => ({ totals: {} }));
  const reads = (name: string) =>
    (totals as Record<string, Counts>)[`${db.databaseName}.${name}`]?.readLock?.count ?? Number.NaN;
  return reads('webhooks') + reads('channels');
}

/** Rejects when an event has ended in another way, which costs less. */
async function requireDone(worker: MeasuredProcess, count: number): Promise<void> {
  const ended = (await worker.series()).find(({ name }) => name === 'inlet_events_processed_total');
  const done = ended?.values.find(({ labels }) => labels.outcome === 'done')?.value ?? 0;
  if (done < count) throw new Error(`${done} of ${count} events are done.`);
}

/** Returns a function that runs one round with this number of the webhooks. */
export async function createWebhookRounds(installation: Installation) {
  const url = await createActiveWebhook(installation.server.ready);
  const paths = await copyWebhooks(installation.db, url, manyWebhooks);
  return async function runRound(webhooks: number): Promise<Figures> {
    let next = 0;
    const path = () => paths[(next += 1) % webhooks] ?? '';
    await sendLoad(url, { amount: webhooks, path });
    const before = await definitionReads(installation.db);
    const worker = await installation.startWorker();
    const { run } = await backlog('many webhooks', [worker], webhooks);
    const reads = (await definitionReads(installation.db)) - before;
    await requireDone(worker, webhooks);
    await worker.stop();
    const name = `${webhooks.toLocaleString('en')} webhooks, one event each`;
    return {
      [`${name}: MongoDB CPU, µs an event`]: run.mongoCpuMicros ?? Number.NaN,
      [`${name}: worker CPU, µs an event`]: run.cpuMicros,
      [`${name}: backlog, events a second`]: run.perSecond,
      [`${name}: reads of webhooks and channels an event`]: reads / webhooks,
    };
  };
}
