/** This tree and the other commit: the processes of each, with a database and queues of its own. */
import { join } from 'node:path';
import mongoose from 'mongoose';
import { createMongoCpu } from '../measure/mongo-cpu.ts';
import { startServer, startWorker, type MeasuredProcess } from '../processes.ts';

export type Db = ReturnType<mongoose.mongo.MongoClient['db']>;

export type Installation = {
  readonly server: MeasuredProcess;
  readonly db: Db;
  startWorker(): Promise<MeasuredProcess>;
  close(): Promise<void>;
};

const mongoCpu = createMongoCpu();
/** NaN when MongoDB runs elsewhere. */
export const mongoCpuMs = (): number => mongoCpu() ?? Number.NaN;

/** `dist`: the folder of the compiled code. `name` ends the names of the database and the queues. */
export async function openInstallation(name: string, dist = join(import.meta.dirname, '../..')) {
  const url = new URL(process.env.MONGODB_URL ?? '');
  url.pathname = `${url.pathname}_${name}`;
  const env = {
    MONGODB_URL: url.href,
    INLET_QUEUE_PREFIX: `${process.env.INLET_QUEUE_PREFIX}-${name}`,
  };
  const client = await new mongoose.mongo.MongoClient(url.href).connect();
  const server = await startServer(env, dist);
  const installation: Installation = {
    server,
    db: client.db(),
    startWorker: () => startWorker(env, dist),
    async close() {
      await server.stop();
      await client.close();
    },
  };
  return installation;
}

type Times = { readonly receivedAt: Date; readonly finishedAt: Date };

/** Resolves to the milliseconds from receipt to the outcome of each event that was received since then. */
export async function timesSince(db: Db, since: Date): Promise<number[]> {
  const found = await db
    .collection<Times>('events')
    .find({ receivedAt: { $gte: since } })
    .toArray();
  return found.map(({ receivedAt, finishedAt }) => Number(finishedAt) - Number(receivedAt));
}
