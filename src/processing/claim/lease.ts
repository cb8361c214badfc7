/**
 * The lease of one claimed set, as this process may rely on it: by its own monotonic clock, counted from before the
 * claim or the renewal was sent, so that it ends here before it ends in the database.
 *
 * Promises: renewed each third of its length while the process lives; asked before every write of an effect, it throws
 * once it has ended, so that a worker that was stopped or blocked for longer than a lease does nothing more.
 */
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import type { ClaimedEvent } from '../../store/events/claim.ts';
import type { EventStore } from '../../store/events/events.ts';

/** Ends a set’s work: nothing more is written for it, not even an outcome. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export type Lease = {
  /** Directly before a write of an effect or an outcome. Throws LeaseLost. */
  require(): void;
  /** Whether the claim still has this event; a renewal may have found that a person or another worker took it. */
  holds(eventId: string): boolean;
  /** Asks the database at once which events the claim still has. */
  verify(): Promise<void>;
};

export type LeaseDeps = {
  readonly events: Pick<EventStore, 'renew'>;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

export type HeldLease = Lease & {
  readonly token: string;
  /** Since when, by the monotonic clock. */
  readonly sinceMs: number;
  /** Whether an effect may have been written. */
  readonly hasBegun: boolean;
  /** Given up on purpose: whoever asks from now on is refused. */
  readonly isDropped: boolean;
  readonly held: readonly ClaimedEvent[];
  drop(): void;
  /** Nothing is renewed from here on. */
  end(): void;
};

export function startLease(
  { events, leaseMs, clock, logger, metrics }: LeaseDeps,
  claim: Pick<HeldLease, 'token' | 'sinceMs'> & { readonly claimed: readonly ClaimedEvent[] },
): HeldLease {
  const { token, sinceMs } = claim;
  const held = new Map(claim.claimed.map((event) => [event._id, event]));
  let endsMs = sinceMs + leaseMs;
  let hasBegun = false;
  let isDropped = false;
  let isEnded = false;
  let isRenewing = false;

  const isOver = () => isDropped || held.size === 0 || clock.elapsedMs() >= endsMs;

  async function renew(): Promise<void> {
    if (isRenewing || isOver()) return;
    isRenewing = true;
    const sentMs = clock.elapsedMs();
    try {
      const lost = await events.renew([...held.values()], leaseMs);
      if (isEnded) return;
      endsMs = sentMs + leaseMs;
      for (const id of lost) held.delete(id);
      if (lost.size > 0) {
        metrics.leasesLost.inc(lost.size);
        logger.warn({ events: [...lost] }, 'lease.lost');
      }
    } catch (error) {
      logger.warn({ err: error, events: held.size }, 'lease.not_renewed');
    } finally {
      isRenewing = false;
    }
  }

  const timer = setInterval(() => void renew(), leaseMs / 3);
  timer.unref();

  return {
    token,
    sinceMs,
    require() {
      if (isOver()) throw new LeaseLost('The lease of this set has ended.');
      hasBegun = true;
    },
    holds: (eventId) => held.has(eventId),
    verify: renew,
    get hasBegun() {
      return hasBegun;
    },
    get isDropped() {
      return isDropped;
    },
    get held() {
      return [...held.values()];
    },
    drop: () => void (isDropped = true),
    end() {
      isEnded = true;
      clearInterval(timer);
    },
  };
}
