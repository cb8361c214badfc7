/** How long ten events of one webhook take behind the backlog of another, beside the time of the whole backlog. */
import mongoose from 'mongoose';
import { createActiveWebhook } from './data/create-webhook.ts';
import { sendLoad, sendOne } from './load.ts';
import { untilProcessed } from './measure/progress.ts';
import { median } from './measure/statistics.ts';
import { printTable } from './measure/print-table.ts';
import { startServer, startWorker } from './processes.ts';

const rounds = 5;
const backlog = 5_000;
const few = 10;
/** The few events are sent when so many of the backlog are done. */
const sentAfter = 500;

type Times = { readonly receivedAt: Date; readonly finishedAt: Date | null };
type Round = { readonly fewMs: number; readonly backlogMs: number };

export async function benchFairness(): Promise<void> {
  const server = await startServer();
  const [large, small] = [
    await createActiveWebhook(server.ready),
    await createActiveWebhook(server.ready),
  ];
  const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URL ?? '').connect();
  const events = client.db().collection<Times>('events');

  async function runRound(): Promise<Round> {
    await sendLoad(large, { amount: backlog });
    const worker = await startWorker();
    await untilProcessed([worker], sentAfter);
    const sentAt = new Date();
    await Promise.all(Array.from({ length: few }, () => sendOne(small)));
    await untilProcessed([worker], backlog + few);
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

  const ran: Round[] = [];
  for (let round = 0; round < rounds; round += 1) ran.push(await runRound());
  const shares = ran.map(({ fewMs, backlogMs }) => fewMs / backlogMs).toSorted((a, b) => a - b);
  const percent = (share: number | undefined) => `${((share ?? NaN) * 100).toFixed(1)} %`;
  printTable(`${few} events behind ${backlog} of another webhook, median of ${rounds} rounds`, [
    ['few, ms', 'backlog, ms', 'few ÷ backlog', 'from', 'to'],
    [
      median(ran.map(({ fewMs }) => fewMs)).toFixed(0),
      median(ran.map(({ backlogMs }) => backlogMs)).toFixed(0),
      percent(median(shares)),
      percent(shares[0]),
      percent(shares.at(-1)),
    ],
  ]);
  await client.close();
  await server.stop();
}
