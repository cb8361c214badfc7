/**
 * Job priorities by webhook: a webhook with a backlog waits behind one with none. The backlog is an estimate of this process. It
 * halves every ten seconds, whether the events were processed or not, so a hint that is sent again gains priority with age.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../base/concurrency/cache.ts';

const halfLifeMs = 10_000;
const maxWebhooks = 10_000;
/** A few events that arrive in several jobs are no backlog. */
const shortBacklog = 50;
/** Of a webhook without a backlog. */
export const highestPriority = 1;
/** BullMQ throws above it. */
const maxPriority = 2_097_151;

type Estimate = { readonly events: number; readonly atMs: number };

export type Backlog = ReturnType<typeof createBacklog>;

export function createBacklog(nowMs: () => number = () => performance.now()) {
  const estimates = new LRUCache<string, Estimate>(atMost(maxWebhooks));
  return {
    /** Returns the priority of a job with this many events, 1 being the highest, and adds them to the backlog. */
    priorityFor(webhookId: string, events: number): number {
      const atMs = nowMs();
      const before = estimates.get(webhookId);
      const left = before ? before.events * 0.5 ** ((atMs - before.atMs) / halfLifeMs) : 0;
      estimates.set(webhookId, { events: left + events, atMs });
      return Math.min(
        highestPriority + Math.max(0, Math.floor(left) - shortBacklog + 1),
        maxPriority,
      );
    },
  };
}
