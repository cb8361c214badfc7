/** How long ten events of one webhook take behind the backlog of another, beside the time of the whole backlog. */
import mongoose from 'mongoose';
import { createActiveWebhook } from './data/create-webhook.ts';
import { sendLoad, sendOne } from './load.ts';
import { waitUntilProcessed } from './measure/progress.ts';
import { fairnessFigure, saveFigures } from './measure/save-figures.ts';
import { startServer, startWorker } from './processes.ts';

const rounds = 5;
const backlog = 5_000;
const few = 10;
/** The few events are sent when so many of the backlog are done. */
const sentAfter = 500;

type Times = { readonly receivedAt: Date; readonly finishedAt: Date | null };
type Round = { readonly fewMs: number; readonly backlogMs: number };
type Webhooks = { readonly large: string; readonly small: string };

/** Returns a function that runs one round. `close` ends its connection. */
export async function createFairnessRounds({ large, small }: Webhooks) {
  const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URL ?? '').connect();
  const events = client.db().collection<Times>('events');

  async function runRound(): Promise<Round> {
    await sendLoad(large, { amount: backlog });
    const worker = await startWorker();
    await waitUntilProcessed([worker], sentAfter);
    const sentAt = new Date();
    await Promise.all(Array.from({ length: few }, () => sendOne(small)));
    await waitUntilProcessed([worker], backlog + few);
    await worker.stop();
    const since = { receivedAt: { $gte: sentAt } };
    const last = await events.find(since).sort({ finishedAt: -1 }).limit(1).next();
    const ended = await events
      .find()
      .sort({ finishedAt: -1 })
      .limit(backlog + few)
      .toArray();
    const times = ended.map(({ finishedAt }) => Number(finishedAt));
    return {
      fewMs: Number(last?.finishedAt) - Number(sentAt),
      backlogMs: Math.max(...times) - Math.min(...times),
    };
  }
  return { runRound, close: () => client.close() };
}

export async function benchFairness(): Promise<void> {
  const server = await startServer();
  const { runRound, close } = await createFairnessRounds({
    large: await createActiveWebhook(server.ready),
    small: await createActiveWebhook(server.ready),
  });
  const ran: Round[] = [];
  for (let round = 0; round < rounds; round += 1) ran.push(await runRound());
  saveFigures(
    `${few} events behind ${backlog} of another webhook, median of ${rounds} rounds`,
    ran.map(({ fewMs, backlogMs }) => ({ [fairnessFigure]: fewMs / backlogMs })),
  );
  await close();
  await server.stop();
}
