/**
 * Whether an event costs more when many are stored: MongoDB's CPU for accepting and for processing one, in a database with a
 * million copies of events beside a database with 50,000, in turns. All but a hundred stored events are copies of real ones.
 */
import mongoose from 'mongoose';
import { copyDocuments, type Database } from './data/copy-documents.ts';
import { createActiveWebhook } from './data/create-webhook.ts';
import { createLead } from './data/lead.ts';
import { originals, storeOriginals } from './data/store-originals.ts';
import { sendLoad } from './load.ts';
import { createMongoCpu } from './measure/mongo-cpu.ts';
import { waitUntilProcessed } from './measure/progress.ts';
import { saveFigures, type Figures } from './measure/save-figures.ts';
import { startServer, startWorker, type MeasuredProcess } from './processes.ts';

const few = 50_000;
/** BENCH_EVENTS sets another number. A million takes most of the time of this part. */
const many = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const rounds = 5;
const sent = 2_000;
const mongoCpu = createMongoCpu();

let lastNumber = originals;
const nextBody = () => JSON.stringify(createLead((lastNumber += 1)));

type Store = {
  readonly env: NodeJS.ProcessEnv;
  readonly server: MeasuredProcess;
  readonly url: string;
};
type Cost = { readonly acceptMicros: number; readonly processMicros: number };

/** Starts a server with a database of its own, which has `count` events. */
async function openStore(client: mongoose.mongo.MongoClient, count: number): Promise<Store> {
  const url = new URL(process.env.MONGODB_URL ?? '');
  const db = client.db(`${url.pathname.slice(1)}_${count}`);
  url.pathname = `/${db.databaseName}`;
  const prefix = `${process.env.INLET_QUEUE_PREFIX}-${count}`;
  const env = { MONGODB_URL: url.href, INLET_QUEUE_PREFIX: prefix };
  const server = await startServer(env);
  const secret = await createActiveWebhook(server.ready);
  await storeOriginals(db, secret, env);
  const kept = new Set(['channelId', 'labelIds', 'sectorId', 'webhookId']);
  await copyDocuments(db as unknown as Database, {
    collections: ['events', 'contacts', 'identities', 'chats', 'messages'],
    copies: Math.ceil(count / originals),
    stepMs: 1_000,
    kept: () => kept,
  });
  return { env, server, url: secret };
}

async function mongoCpuOf(work: () => Promise<unknown>): Promise<number> {
  const beforeMs = mongoCpu() ?? NaN;
  await work();
  return (((mongoCpu() ?? NaN) - beforeMs) * 1_000) / sent;
}

async function costOf({ env, url }: Store): Promise<Cost> {
  const acceptMicros = await mongoCpuOf(() => sendLoad(url, { amount: sent, body: nextBody }));
  const worker = await startWorker(env);
  const processMicros = await mongoCpuOf(() => waitUntilProcessed([worker], sent));
  await worker.stop();
  return { acceptMicros, processMicros };
}

export async function benchGrowth(): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URL ?? '').connect();
  const stores = [await openStore(client, few), await openStore(client, many)] as const;
  const ran: Figures[] = [];
  // The first round warms the caches up.
  for (let round = -1; round < rounds; round += 1) {
    const [ofFew, ofMany] = [await costOf(stores[0]), await costOf(stores[1])];
    if (round < 0) continue;
    ran.push({
      [`MongoDB CPU to accept an event, ${many} stored ÷ ${few}`]:
        ofMany.acceptMicros / ofFew.acceptMicros,
      [`MongoDB CPU to process an event, ${many} stored ÷ ${few}`]:
        ofMany.processMicros / ofFew.processMicros,
    });
  }
  saveFigures(`${many} stored events beside ${few}, median of ${rounds} alternating rounds`, ran);
  for (const { server } of stores) await server.stop();
  await client.close();
}
