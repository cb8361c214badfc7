/**
 * Admission: how much the receiving route has in hand at once, in requests and in bytes of their bodies.
 *
 * Promises: beyond either bound a request is refused `overloaded` before its body is read. A request holds what it has
 * announced, or sent, and gives it back when nothing of it is left in memory, even if it was answered long before.
 */
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';

export type AdmissionLimits = {
  readonly maxInFlight: number;
  readonly maxPendingBytes: number;
};

export type AdmissionSlot = {
  /** Makes it so many bytes in all; throws `overloaded` where there is no room for them. */
  reserve(bytes: number): void;
  /** To be called once. */
  release(): void;
};

export type Admission = { readonly acquire: () => AdmissionSlot };

const retryAfterMs = 2_000;

export function createAdmission(
  { maxInFlight, maxPendingBytes }: AdmissionLimits,
  metrics: Pick<Metrics, 'inFlight' | 'pendingBytes'>,
): Admission {
  let inFlight = 0;
  let pendingBytes = 0;

  const refused = () => new AppError('overloaded', { retryAfterMs });
  function count(requests: number, bytes: number): void {
    inFlight += requests;
    pendingBytes += bytes;
    metrics.inFlight.set({ stage: 'receiving' }, inFlight);
    metrics.pendingBytes.set(pendingBytes);
  }

  return {
    acquire() {
      if (inFlight >= maxInFlight) throw refused();
      let held = 0;
      count(1, 0);
      return {
        reserve(bytes) {
          const more = bytes - held;
          if (more <= 0) return;
          if (pendingBytes + more > maxPendingBytes) throw refused();
          held = bytes;
          count(0, more);
        },
        release: () => count(-1, -held),
      };
    },
  };
}
