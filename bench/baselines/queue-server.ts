/**
 * Baseline: what a developer builds in an afternoon. Express with its JSON parser, one BullMQ job with the payload for each
 * request, and `queue-worker.ts`. Neither deduplication nor retries.
 */
import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import express from 'express';

const { hostname, port } = new URL(process.env.REDIS_URL ?? '');
const queue = new Queue('baseline', {
  connection: { host: hostname, port: Number(port) },
  prefix: process.env.INLET_QUEUE_PREFIX ?? '',
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
});
const app = express();
app.use(express.json());
app.post('/', async (request, response) => {
  const { id } = await queue.add('event', request.body);
  response.json({ status: true, message: 'Webhook received.', data: { success: true, id } });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${address.port}/` });
});
process.once('disconnect', () => process.exit());
