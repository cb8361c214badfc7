/**
 * The sets that this process has in hand, and how it lets go of them when it is told to end.
 *
 * Promises: within 15 s each of them is finished, or given back with its attempt for others to take at once.
 */
import { sleep } from '../../base/clock.ts';
import { hintEvents, type EventQueue } from '../../queue/process-events.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { HeldLease } from './lease.ts';

type DrainLimits = { readonly unbegunMs: number; readonly allMs: number };

/** Since the drain began, and since then; closing everything else has what is left of 25 s. */
const drainLimits: DrainLimits = { unbegunMs: 10_000, allMs: 3_000 };
/** How long giving back may take in a database that does not answer. */
const farewellMs = 1_000;

/**
 * Resolves when `idle` does, and after 15 s at the latest. After 10 s nothing more is claimed, and what has no effect
 * yet is given back; after 14 s so is the rest, whose effects whoever comes next will find.
 */
export type Drain = (idle: Promise<unknown>, limits?: DrainLimits) => Promise<void>;

export type InFlightSets = {
  readonly leases: Set<HeldLease>;
  /** Aborted once nothing more may be claimed. */
  readonly leaving: AbortSignal;
  giveBack(lease: HeldLease): Promise<void>;
  readonly drain: Drain;
};

type HandsDeps = {
  readonly events: Pick<EventStore, 'release'>;
  readonly queue: Pick<EventQueue, 'hint'>;
};

export function createInFlightSets({ events, queue }: HandsDeps): InFlightSets {
  const leases = new Set<HeldLease>();
  const leaving = new AbortController();

  async function giveBack(lease: HeldLease): Promise<void> {
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
    const giveBackAll = (chosen: readonly HeldLease[]) =>
      Promise.race([Promise.allSettled(chosen.map(giveBack)), sleep(farewellMs)]);
    await Promise.race([ended, sleep(limits.unbegunMs)]);
    if (isIdle) return;
    leaving.abort();
    await giveBackAll([...leases].filter(({ hasBegun }) => !hasBegun));
    await Promise.race([ended, sleep(limits.allMs)]);
    if (!isIdle) await giveBackAll([...leases].filter(({ isDropped }) => !isDropped));
  }

  return { leases, leaving: leaving.signal, giveBack, drain };
}
