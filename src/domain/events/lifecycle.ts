/**
 * The life of an event: every change of its state, where it may start and where it may lead. What is not in this table
 * cannot be written, because the stores take the states that a change starts from out of it.
 */
import type { EventState } from './event.ts';

type Transition = { readonly from: readonly EventState[]; readonly to: readonly EventState[] };

const open = ['received', 'held', 'processing', 'waiting'] as const;

export const transitions = {
  /** A worker takes the event, once it is due; one whose attempts are spent dies of it. */
  claim: { from: ['received', 'waiting', 'processing'], to: ['processing', 'dead'] },
  /** The worker that has the claim writes what became of it. */
  finish: { from: ['processing'], to: ['done', 'ignored', 'waiting', 'dead'] },
  /** The worker that has the claim gives it back untouched, and the attempt with it. */
  release: { from: ['processing'], to: ['received'] },
  /** A resend with a body that may do better. */
  revive: { from: ['dead', 'ignored'], to: ['received', 'held'] },
  /** A person sends it through again. */
  replay: { from: ['dead', 'ignored', 'discarded'], to: ['received', 'held'] },
  /** A person lets a newer mapping update what it made. */
  remap: { from: ['dead', 'ignored', 'discarded', 'done'], to: ['received', 'held'] },
  /** A person gives it up. */
  discard: { from: [...open, 'dead'], to: ['discarded'] },
  /** Its webhook is no longer paused. */
  resume: { from: ['held'], to: ['received'] },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Where a change may lead; what writes a state names its change, and any other state is a type error. */
export type StateAfter<Name extends TransitionName> = (typeof transitions)[Name]['to'][number];

/** The states that a change may start from, as a filter of the database. */
export const statesBefore = (change: TransitionName): { $in: EventState[] } => ({
  $in: [...transitions[change].from],
});
