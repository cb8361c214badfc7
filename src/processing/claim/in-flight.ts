/**
 * The sets in progress in this process, and how they end on shutdown.
 *
 * Promises: within 15 s each set is finished, or released with its attempt given back, so that others can claim it at once.
 */
import { sleep } from '../../base/clock.ts';
import { hintEvents, type EventQueue } from '../../queue/process-events.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { HeldLease } from './lease.ts';

type DrainLimits = { readonly unbegunMs: number; readonly allMs: number };

/** `unbegunMs` counts from the start of the drain, `allMs` from then on; the rest of the shutdown has what is left of 25 s. */
const drainLimits: DrainLimits = { unbegunMs: 10_000, allMs: 3_000 };
/** How long a release may take in a database that does not answer. */
const releaseMs = 1_000;

/**
 * Resolves when `idle` does, and after 15 s at the latest. After 10 s nothing more is claimed, and the sets without an
 * effect are released; after 14 s so are the others, whose effects the next attempt finds.
 */
export type Drain = (idle: Promise<unknown>, limits?: DrainLimits) => Promise<void>;

type Deps = {
  readonly events: Pick<EventStore, 'release'>;
  readonly queue: Pick<EventQueue, 'hint'>;
};

export type InFlightSets = ReturnType<typeof createInFlightSets>;

export function createInFlightSets({ events, queue }: Deps) {
  const leases = new Set<HeldLease>();
  const draining = new AbortController();

  /** Drops the lease, and releases and hints its events. */
  async function release(lease: HeldLease): Promise<void> {
    lease.drop();
    const { held, token } = lease;
    await events.release(
      token,
      held.map(({ _id }) => _id),
    );
    hintEvents(queue, held);
  }

  async function drain(idle: Promise<unknown>, limits = drainLimits): Promise<void> {
    let isIdle = false;
    const ended = idle.finally(() => (isIdle = true));
    const releaseAll = (chosen: readonly HeldLease[]) =>
      Promise.race([Promise.allSettled(chosen.map(release)), sleep(releaseMs)]);
    await Promise.race([ended, sleep(limits.unbegunMs)]);
    if (isIdle) return;
    draining.abort();
    await releaseAll([...leases].filter(({ hasBegun }) => !hasBegun));
    await Promise.race([ended, sleep(limits.allMs)]);
    if (!isIdle) await releaseAll([...leases].filter(({ isDropped }) => !isDropped));
  }

  return {
    leases,
    /** Aborted once nothing more may be claimed. */
    draining: draining.signal,
    release,
    drain,
  };
}
