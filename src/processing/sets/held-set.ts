/**
 * A set that this process has, with the events whose outcomes are not committed yet.
 *
 * Promises: it shows each third of a lease that the process lives. Whether the set still exists is decided by its transaction alone: a
 * process that was stopped for longer than a lease commits nothing.
 */
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { SetEnded } from '../../store/sets/set-transaction.ts';
import type { TakenEvent } from '../../store/sets/sets.ts';

type HeldSetDeps = {
  /** Resolves to false when the set is gone. */
  readonly beat: () => Promise<boolean>;
  readonly leaseMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

export type HeldSet = ReturnType<typeof holdSet>;

export function holdSet(
  { beat, leaseMs, logger, metrics }: HeldSetDeps,
  { token, taken }: { readonly token: string; readonly taken: readonly TakenEvent[] },
) {
  const open = new Map(taken.map((event) => [event._id, event]));
  let isOver = false;
  let isDropped = false;
  let isDeleted = false;
  let isBusy = false;

  async function renew(): Promise<void> {
    // A transaction in progress has changed the set itself, and the beat would wait for its end.
    if (isBusy || isOver) return;
    isBusy = true;
    try {
      const lives = await beat();
      metrics.leaseRenewals.inc({ result: lives ? 'renewed' : 'lost' });
      if (!lives) isOver = true;
    } catch (error) {
      metrics.leaseRenewals.inc({ result: 'failed' });
      logger.warn({ err: error, events: open.size }, 'lease.not_renewed');
    } finally {
      isBusy = false;
    }
  }
  const timer = setInterval(() => void renew(), leaseMs / 3);
  timer.unref();

  return {
    token,
    /** Throws SetEnded once the set is known to be over. */
    require(): void {
      if (isOver) throw new SetEnded('The set has expired, or was dropped.');
    },
    event: (id: string): TakenEvent | undefined => open.get(id),
    /** The events whose outcomes are not committed. */
    get events(): readonly TakenEvent[] {
      return [...open.values()];
    },
    /** The events have left the set: their outcomes are committed, or others may take them. */
    remove(ids: Iterable<string>): void {
      for (const id of ids) open.delete(id);
    },
    /** Runs a transaction of the set, and sends no beat until its end. */
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      isBusy = true;
      return work().finally(() => (isBusy = false));
    },
    /** Whether it was given up on purpose. */
    get isDropped(): boolean {
      return isDropped;
    },
    /** Whether its last transaction deleted it in the database. */
    get isDeleted(): boolean {
      return isDeleted;
    },
    deleted(): void {
      isDeleted = true;
    },
    drop(): void {
      isOver = true;
      isDropped = true;
    },
    /** Stops the beats. */
    end(): void {
      isOver = true;
      clearInterval(timer);
    },
  };
}
