/**
 * The sets in progress in this process, the people that they change, and how they end on shutdown.
 *
 * Promises: within 15 s each set is committed, or dropped without an attempt, so that others can take its events at once. Two sets of
 * this process do not change the same person at once: they would conflict.
 */
import { sleep } from '../../base/clock.ts';
import { hintEvents, type EventQueue } from '../../queue/process-events.ts';
import type { Lead } from '../read/read-event.ts';
import type { HeldSet } from './held-set.ts';

type DrainLimits = { readonly runningMs: number; readonly dropMs: number };

/** The rest of the shutdown has what is left of 25 s. */
const drainLimits: DrainLimits = { runningMs: 13_000, dropMs: 1_000 };

/** Resolves when `idle` does, and after 14 s at the latest: then nothing more is taken, and the sets in progress are dropped. */
export type Drain = (idle: Promise<unknown>, limits?: DrainLimits) => Promise<void>;

type Deps = {
  readonly dropSet: (token: string) => Promise<boolean>;
  readonly queue: Pick<EventQueue, 'hint'>;
};

export type InFlightSets = ReturnType<typeof createInFlightSets>;

export function createInFlightSets({ dropSet, queue }: Deps) {
  const sets = new Set<HeldSet>();
  /** The set that has each identity. */
  const people = new Map<string, HeldSet>();
  const draining = new AbortController();

  /** Drops the set and hints its events. Does nothing when the set was committed. */
  async function drop(set: HeldSet): Promise<void> {
    set.drop();
    const { events } = set;
    if (await dropSet(set.token)) hintEvents(queue, events);
  }

  async function drain(idle: Promise<unknown>, limits = drainLimits): Promise<void> {
    let isIdle = false;
    const ended = idle.finally(() => (isIdle = true));
    await Promise.race([ended, sleep(limits.runningMs)]);
    if (isIdle) return;
    draining.abort();
    await Promise.race([Promise.allSettled([...sets].map(drop)), sleep(limits.dropMs)]);
  }

  return {
    sets,
    /** Aborted once nothing more may be taken. */
    draining: draining.signal,
    drop,
    drain,
    /** Returns the leads whose people no other set of this process has; the set has them until `leave`. */
    enter(set: HeldSet, leads: readonly Lead[]): readonly Lead[] {
      const free = leads.filter(({ identities }) =>
        identities.every(({ _id }) => (people.get(_id) ?? set) === set),
      );
      for (const { identities } of free) for (const { _id } of identities) people.set(_id, set);
      return free;
    },
    leave(set: HeldSet): void {
      sets.delete(set);
      for (const [id, owner] of people) if (owner === set) people.delete(id);
    },
  };
}
