/**
 * Admission control of the receiving route: limits the requests in flight, and the bytes of their bodies. Webhooks share
 * both fairly: a webhook may hold at most as much as stays free, so at most half, and less while others are busy.
 *
 * Promises: beyond a limit a request is rejected with `overloaded`, before its body is read where its length is announced.
 * A request counts with the bytes that were received, until it has left memory, even when it was answered earlier. A
 * webhook with one request in flight may use all free bytes, so every body that is small enough can be received.
 */
import { createFairShare } from '../../base/concurrency/fair-share.ts';
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';

type AdmissionLimits = {
  readonly maxInFlight: number;
  readonly maxPendingBytes: number;
};

export type AdmissionSlot = {
  /** Throws `overloaded` if a body of this length would exceed the limit now. Counts nothing. */
  readonly announce: (bytes: number) => void;
  /** Sets the bytes that the request counts with; it never lowers them. Throws `overloaded` beyond the limit. */
  readonly reserve: (bytes: number) => void;
  /** Must be called exactly once. */
  readonly release: () => void;
};

export type Admission = {
  /** Throws `overloaded` when too many requests are in flight, in all or of this webhook. */
  readonly acquire: (webhookId: string) => AdmissionSlot;
};

const retryAfterMs = 2_000;
const overloaded = () => new AppError('overloaded', { retryAfterMs });

export function createAdmission(
  { maxInFlight, maxPendingBytes }: AdmissionLimits,
  metrics: Pick<Metrics, 'inFlight' | 'pendingBytes'>,
): Admission {
  const requests = createFairShare(maxInFlight);
  const bytes = createFairShare(maxPendingBytes);

  function countRequests(webhookId: string, more: number): void {
    requests.add(webhookId, more);
    metrics.inFlight.set({ stage: 'receiving' }, requests.used);
  }

  function countBytes(webhookId: string, more: number): void {
    bytes.add(webhookId, more);
    metrics.pendingBytes.set(bytes.used);
  }

  function requireBytes(webhookId: string, more: number): void {
    const isOnly = requests.heldBy(webhookId) === 1;
    const fits = isOnly ? bytes.used + more <= maxPendingBytes : bytes.fits(webhookId, more);
    if (!fits) throw overloaded();
  }

  return {
    acquire(webhookId) {
      if (!requests.fits(webhookId, 1)) throw overloaded();
      let reserved = 0;
      countRequests(webhookId, 1);
      return {
        announce: (length) => requireBytes(webhookId, length),
        reserve(received) {
          const more = received - reserved;
          if (more <= 0) return;
          requireBytes(webhookId, more);
          reserved = received;
          countBytes(webhookId, more);
        },
        release() {
          countRequests(webhookId, -1);
          if (reserved > 0) countBytes(webhookId, -reserved);
        },
      };
    },
  };
}
