/**
 * Reads webhooks again: what the cache holds may be older than the request.
 *
 * Promises: a request gets a read that began after it asked. Requests that wait for the same webhook share the next read, so a
 * flood to a webhook that is not active has two reads in flight. Reads of different webhooks do not wait for each other.
 */
import type { Clock } from '../base/clock.ts';
import { createBatcher } from '../base/concurrency/batcher.ts';
import { createFairShare } from '../base/concurrency/fair-share.ts';
import { AppError } from '../base/errors.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

/** Requests that may wait for reads, of all webhooks together. */
const maxPending = 2_000;
/** Reads of one webhook in flight: when the connection of one is dead, the other still ends. */
const concurrency = 2;
/** A read takes 6 s at most, so a request that waits for two dead sockets is rejected within about 9 s. */
const maxWaitMs = 3_000;
const retryAfterMs = 1_000;

type Get = (id: string) => Promise<Webhook | null>;

/**
 * Returns a function that reads a webhook now. It resolves to null for an unknown id. It rejects with `overloaded` when too
 * many requests wait or the request waits too long, and with the error of `get`.
 */
export function createWebhookReader(get: Get, clock: Clock): Get {
  const places = createFairShare(maxPending);
  /** The reads of each webhook that requests wait for. */
  const pending = new Map<string, ReturnType<typeof createReads>>();

  function createReads(id: string) {
    return createBatcher<null, Webhook | null>({
      maxBatch: maxPending,
      maxPending,
      maxWaitMs,
      nowMs: () => clock.elapsedMs(),
      concurrency,
      async flush(requests) {
        const webhook = await get(id);
        return requests.map(() => webhook);
      },
    });
  }

  return async function readWebhook(id) {
    if (!places.fits(id, 1)) throw new AppError('overloaded', { retryAfterMs });
    const reads = pending.get(id) ?? createReads(id);
    pending.set(id, reads);
    places.add(id, 1);
    try {
      return await reads.add(null);
    } finally {
      places.add(id, -1);
      if (places.heldBy(id) === 0) pending.delete(id);
    }
  };
}
