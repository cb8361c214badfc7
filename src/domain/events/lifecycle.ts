/**
 * State machine of an event. Stores take the start states of a change from this table, so a change that is not
 * in the table cannot be written.
 */
import type { EventState } from './event.ts';

type Transition = { readonly from: readonly EventState[]; readonly to: readonly EventState[] };

const open = ['received', 'held', 'waiting'] as const;

export const transitions = {
  /** The worker that has taken the due event commits the outcome. */
  finish: { from: ['received', 'waiting'], to: ['done', 'ignored', 'waiting', 'dead'] },
  /** The worker crashed or stalled. An event without attempts left becomes dead. */
  expire: { from: ['received', 'waiting'], to: ['received', 'dead'] },
  /** A resend with another body revives the event. */
  revive: { from: ['dead', 'ignored'], to: ['received', 'held'] },
  /** A person replays it. */
  replay: { from: ['dead', 'ignored', 'discarded'], to: ['received', 'held'] },
  /** A person replays it with a newer mapping that updates its effects. */
  remap: { from: ['dead', 'ignored', 'discarded', 'done'], to: ['received', 'held'] },
  /** A person discards it. */
  discard: { from: [...open, 'dead'], to: ['discarded'] },
  /** Its webhook was resumed. */
  resume: { from: ['held'], to: ['received'] },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The states that a transition may lead to. Writing any other state is a type error. */
export type StateAfter<Name extends TransitionName> = (typeof transitions)[Name]['to'][number];

/** Returns the start states of a transition as a MongoDB filter. */
export const statesBefore = (change: TransitionName): { $in: EventState[] } => ({
  $in: [...transitions[change].from],
});
