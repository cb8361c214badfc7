/** The worker of `queue-server.ts`: one insert for each job, with majority and journal. Reports how many are done. */
import { Worker } from 'bullmq';
import mongoose from 'mongoose';
import { handleIpcRequests } from '../../src/base/process/ipc.ts';

const concurrency = 50;
const { hostname, port } = new URL(process.env.REDIS_URL ?? '');
const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URL ?? '').connect();
// At once: concurrent first inserts would each create it.
await client.db().createCollection('baseline');
const messages = client.db().collection('baseline', { writeConcern: { w: 'majority', j: true } });
let done = 0;
const worker = new Worker<object>(
  'baseline',
  async ({ data }) => {
    await messages.insertOne({ ...data, receivedAt: new Date() });
    done += 1;
  },
  {
    connection: { host: hostname, port: Number(port) },
    prefix: process.env.INLET_QUEUE_PREFIX ?? '',
    concurrency,
  },
);
await worker.waitUntilReady();
const name = 'inlet_events_processed_total';
handleIpcRequests({ metrics: () => [{ name, values: [{ labels: {}, value: done }] }] });
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.send?.({ type: 'ready' });
