/**
 * Admission control: limits the requests in flight, and the bytes of their bodies. Groups share both fairly: a group may
 * hold at most as much as stays free, so at most half, and less while others are busy. A group is a webhook in the receiving
 * route, and a token in the other ones.
 *
 * Promises: beyond a limit a request is rejected with `overloaded`, before its body is read where its length is announced.
 * A request counts with the bytes that were received, until it has left memory, even when it was answered earlier. A
 * group with one request in flight may use all free bytes, so every body that is small enough can be received.
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
  /** Throws `overloaded` when too many requests are in flight, in all or of this group. */
  readonly acquire: (group: string) => AdmissionSlot;
};

const retryAfterMs = 2_000;
const overloaded = () => new AppError('overloaded', { retryAfterMs });

export function createAdmission(
  { maxInFlight, maxPendingBytes }: AdmissionLimits,
  metrics?: Pick<Metrics, 'inFlight' | 'pendingBytes'>,
): Admission {
  const requests = createFairShare(maxInFlight);
  const bytes = createFairShare(maxPendingBytes);

  function countRequests(group: string, more: number): void {
    requests.add(group, more);
    metrics?.inFlight.set({ stage: 'receiving' }, requests.used);
  }

  function countBytes(group: string, more: number): void {
    bytes.add(group, more);
    metrics?.pendingBytes.set(bytes.used);
  }

  function requireBytes(group: string, more: number): void {
    const isOnly = requests.heldBy(group) === 1;
    const fits = isOnly ? bytes.used + more <= maxPendingBytes : bytes.fits(group, more);
    if (!fits) throw overloaded();
  }

  return {
    acquire(group) {
      if (!requests.fits(group, 1)) throw overloaded();
      let reserved = 0;
      countRequests(group, 1);
      return {
        announce: (length) => requireBytes(group, length),
        reserve(received) {
          const more = received - reserved;
          if (more <= 0) return;
          requireBytes(group, more);
          reserved = received;
          countBytes(group, more);
        },
        release() {
          countRequests(group, -1);
          if (reserved > 0) countBytes(group, -reserved);
        },
      };
    },
  };
}
