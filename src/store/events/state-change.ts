/** Pieces of update pipelines that change the state of an event. */
import { timelineKept, type EventState } from '../../domain/events/event.ts';
import type { TransitionName, StateAfter } from '../../domain/events/lifecycle.ts';

/** For `$expr`: no due time is set, or the database's clock has reached it. */
export const isDue = {
  $or: [{ $eq: [{ $ifNull: ['$dueAt', null] }, null] }, { $lte: ['$dueAt', '$$NOW'] }],
};

const { first, last } = timelineKept;
/** The timeline without its middle lines where it is full, so that one more line fits. */
const trimmedTimeline = {
  $cond: [
    { $lt: [{ $size: '$timeline' }, first + last] },
    '$timeline',
    { $concatArrays: [{ $slice: ['$timeline', first] }, { $slice: ['$timeline', 1 - last] }] },
  ],
};

/** Further fields of a timeline line. `$$REMOVE` leaves a field out. */
type TimelineExtra = { readonly worker?: object | string; readonly dueAt?: object | string };

/** The timeline with one more line, dated `$$NOW`. */
export const timelineWith = (
  state: EventState | object,
  reason: string | object | null,
  extra: TimelineExtra = {},
) => ({ $concatArrays: [trimmedTimeline, [{ at: '$$NOW', state, reason, ...extra }]] });

/**
 * A state and its line in the timeline, which are always written together. The type allows only the states that the table
 * of transitions gives for this change.
 */
export const stateChange = <Name extends TransitionName>(
  _change: Name,
  state: StateAfter<Name>,
  note: string | object | null,
) => ({ state, timeline: timelineWith(state, note) });
