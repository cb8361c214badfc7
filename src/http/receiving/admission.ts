/**
 * Admission control of the receiving route: limits the requests in flight, and the bytes of their bodies.
 *
 * Promises: beyond either limit a request is rejected with `overloaded` before its body is read. A request counts with
 * its announced or received bytes until it has left memory, even when it was answered earlier.
 */
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';

type AdmissionLimits = {
  readonly maxInFlight: number;
  readonly maxPendingBytes: number;
};

export type AdmissionSlot = {
  /** Sets the bytes that the request counts with; it never lowers them. Throws `overloaded` beyond the limit. */
  readonly reserve: (bytes: number) => void;
  /** Must be called exactly once. */
  readonly release: () => void;
};

export type Admission = {
  /** Throws `overloaded` when too many requests are in flight. */
  readonly acquire: () => AdmissionSlot;
};

const retryAfterMs = 2_000;
const overloaded = () => new AppError('overloaded', { retryAfterMs });

export function createAdmission(
  { maxInFlight, maxPendingBytes }: AdmissionLimits,
  metrics: Pick<Metrics, 'inFlight' | 'pendingBytes'>,
): Admission {
  let inFlight = 0;
  let pendingBytes = 0;

  function count(requests: number, bytes: number): void {
    inFlight += requests;
    pendingBytes += bytes;
    metrics.inFlight.set({ stage: 'receiving' }, inFlight);
    metrics.pendingBytes.set(pendingBytes);
  }

  return {
    acquire() {
      if (inFlight >= maxInFlight) throw overloaded();
      let reserved = 0;
      count(1, 0);
      return {
        reserve(bytes) {
          const more = bytes - reserved;
          if (more <= 0) return;
          if (pendingBytes + more > maxPendingBytes) throw overloaded();
          reserved = bytes;
          count(0, more);
        },
        release: () => count(-1, -reserved),
      };
    },
  };
}
