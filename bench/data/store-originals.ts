/** Stores and processes the events that are copied. */
import { setTimeout as pause } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { startWorker } from '../processes.ts';
import { createLead } from './lead.ts';

export const originals = 100;
const processedWithinMs = 60_000;

type Db = ReturnType<mongoose.mongo.MongoClient['db']>;

/** Every tenth lead has no phone and becomes a dead letter. */
const leadFor = (number: number) => {
  const body = createLead(number);
  return number % 10 === 0 ? { ...body, lead: { ...body.lead, fields: [] } } : body;
};

/** `env`: of the worker, where it differs from that of this process. */
export async function storeOriginals(
  db: Db,
  secret: string,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  for (let number = 1; number <= originals; number += 1) {
    const response = await fetch(secret, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(leadFor(number)),
    });
    if (!response.ok) throw new Error(`A lead was answered ${response.status}.`);
  }
  const worker = await startWorker(env);
  const until = performance.now() + processedWithinMs;
  while ((await db.collection('events').countDocuments({ open: true })) > 0) {
    if (performance.now() > until) throw new Error('The first events were not processed in time.');
    await pause(100);
  }
  await worker.stop();
}
