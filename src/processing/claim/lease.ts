/**
 * The lease of one claimed set. It is measured by the monotonic clock of this process, from before the claim or the renewal
 * was sent, so that it ends here before it ends in the database.
 *
 * Promises: it is renewed each third of its length while the process lives. It is checked before every write of an effect and
 * throws once it has ended, so that a worker that was stopped or blocked for longer than a lease writes nothing more.
 */
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import type { ClaimedEvent } from '../../store/events/claim.ts';
import type { EventStore } from '../../store/events/events.ts';

/** Ends the processing of a set: nothing more is written for it, not even an outcome. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export type HeldLease = ReturnType<typeof startLease>;
/** What the stages of a set need of it. */
export type Lease = Pick<HeldLease, 'require' | 'holds' | 'verify'>;

type LeaseDeps = {
  readonly events: Pick<EventStore, 'renew'>;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

type Claimed = {
  readonly token: string;
  /** When the claim was sent, by the monotonic clock. */
  readonly sinceMs: number;
  readonly claimed: readonly ClaimedEvent[];
};

export function startLease(
  { events, leaseMs, clock, logger, metrics }: LeaseDeps,
  { token, sinceMs, claimed }: Claimed,
) {
  const held = new Map(claimed.map((event) => [event._id, event]));
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
      metrics.leaseRenewals.inc({ result: lost.size > 0 ? 'lost' : 'renewed' });
      if (lost.size > 0) {
        metrics.leasesLost.inc(lost.size);
        logger.warn({ events: [...lost] }, 'lease.lost');
      }
    } catch (error) {
      metrics.leaseRenewals.inc({ result: 'failed' });
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
    /** To be called directly before each write of an effect or an outcome. Throws LeaseLost. */
    require(): void {
      if (isOver()) throw new LeaseLost('The lease of this set has ended.');
      hasBegun = true;
    },
    /** Whether the claim still has this event. A renewal may find that a person or another worker took it. */
    holds: (eventId: string): boolean => held.has(eventId),
    /** Renews the lease now, which drops the events that the claim no longer has. Never rejects. */
    verify: renew,
    /** Whether an effect may have been written. */
    get hasBegun(): boolean {
      return hasBegun;
    },
    /** Whether it was given up on purpose; `require` then throws. */
    get isDropped(): boolean {
      return isDropped;
    },
    get held(): readonly ClaimedEvent[] {
      return [...held.values()];
    },
    drop: (): void => void (isDropped = true),
    /** Stops the renewals. */
    end(): void {
      isEnded = true;
      clearInterval(timer);
    },
  };
}
