/** The time of an event of a small webhook behind the backlog of a large one, and in an idle system. */
import { setTimeout as pause } from 'node:timers/promises';
import { createActiveWebhook } from '../data/create-webhook.ts';
import { sendLoad, sendOne } from '../load.ts';
import { waitUntilProcessed } from '../measure/progress.ts';
import type { Figures } from '../measure/save-figures.ts';
import { median } from '../measure/statistics.ts';
import { timesSince, type Installation } from './installation.ts';

const backlog = 5_000;
/** The small webhook's events are sent when so many of the backlog are done, one after the other, and end before the rest. */
const sentAfter = 500;
const few = 20;
const everyMs = 40;

async function sendFew(url: string): Promise<Date> {
  const since = new Date();
  for (let sent = 0; sent < few; sent += 1) {
    await sendOne(url);
    await pause(everyMs);
  }
  return since;
}

/** Returns a function that runs one round. */
export async function createSmallBehindLargeRounds(
  installation: Installation,
): Promise<() => Promise<Figures>> {
  const large = await createActiveWebhook(installation.server.ready);
  const small = await createActiveWebhook(installation.server.ready);
  return async function runRound() {
    await sendLoad(large, { amount: backlog });
    const worker = await installation.startWorker();
    await waitUntilProcessed([worker], sentAfter);
    const behindSince = await sendFew(small);
    await waitUntilProcessed([worker], backlog + few);
    const behindMs = median(await timesSince(installation.db, behindSince));
    const idleSince = await sendFew(small);
    await waitUntilProcessed([worker], backlog + 2 * few);
    const idleMs = median(await timesSince(installation.db, idleSince));
    await worker.stop();
    return {
      'small webhook behind 5,000 of a large one ÷ idle': behindMs / idleMs,
      'small webhook behind 5,000 of a large one: p50, ms': behindMs,
    };
  };
}
