/** Parts of update pipelines that change the state of an event. */
import { timelineKept, type EventRecord, type EventState } from '../../domain/events/event.ts';
import type { TransitionName, StateAfter } from '../../domain/events/lifecycle.ts';
import type { Collection } from '../db/collection.ts';

export type Events = Collection<EventRecord>;

/** For `$expr`: no due time is set, or the database's clock has reached it. */
export const isDue = {
  $or: [{ $eq: [{ $ifNull: ['$dueAt', null] }, null] }, { $lte: ['$dueAt', '$$NOW'] }],
};

const { first, last } = timelineKept;
/** The timeline with space for one more line. A full timeline loses the oldest line after its first `first` lines. */
const trimmedTimeline = {
  $cond: [
    { $lt: [{ $size: '$timeline' }, first + last] },
    '$timeline',
    { $concatArrays: [{ $slice: ['$timeline', first] }, { $slice: ['$timeline', 1 - last] }] },
  ],
};

/** Further fields of a timeline line. */
type TimelineExtra = {
  readonly worker?: object;
  readonly startedAt?: Date;
  readonly dueAt?: object | string;
};

/** Returns an expression for the timeline with one more line, dated `$$NOW`. */
export const timelineWith = (
  state: EventState | object,
  reason: string | object | null,
  extra: TimelineExtra = {},
) => ({ $concatArrays: [trimmedTimeline, [{ at: '$$NOW', state, reason, ...extra }]] });

/** The type allows only the states that the table of transitions lists for this change. */
export const stateChange = <Name extends TransitionName>(
  _change: Name,
  state: StateAfter<Name>,
  note: string | object | null,
) => ({ state, timeline: timelineWith(state, note) });
