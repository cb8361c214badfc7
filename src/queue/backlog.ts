/**
 * How much of each webhook this process has offered lately, as the priority of what it offers next: who has a long
 * backlog stands behind who has none. It is an estimate that nobody has to correct: it halves every ten seconds,
 * whether or not the events were taken meanwhile, so the priority of what is offered again falls with age.
 */
import { LRUCache } from 'lru-cache';

const halfLifeMs = 10_000;
const maxWebhooks = 10_000;
/** BullMQ throws above it. */
const maxPriority = 2_097_151;

type Offered = { readonly events: number; readonly atMs: number };

export type Backlog = {
  /** The priority for a job of that many events, which counts from then on. */
  add(webhookId: string, events: number): number;
};

export function createBacklog(nowMs: () => number = () => performance.now()): Backlog {
  const offered = new LRUCache<string, Offered>({ max: maxWebhooks });
  return {
    add(webhookId, events) {
      const atMs = nowMs();
      const before = offered.get(webhookId);
      const left = before ? before.events * 0.5 ** ((atMs - before.atMs) / halfLifeMs) : 0;
      offered.set(webhookId, { events: left + events, atMs });
      return Math.min(1 + Math.floor(left), maxPriority);
    },
  };
}
