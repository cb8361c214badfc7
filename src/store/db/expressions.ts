/** Pieces of update pipelines. Text that came from outside is always wrapped, since a leading `$` is an expression. */
import { timelineKept, type EventState } from '../../domain/events/event.ts';
import type { TransitionName, StateAfter } from '../../domain/events/lifecycle.ts';

export const literal = (value: unknown) => ({ $literal: value });

export const msFromNow = (ms: number | object) => ({ $add: ['$$NOW', ms] });

/** Due means: no time is set, or the database's clock has reached it. */
export const isDue = {
  $or: [{ $eq: [{ $ifNull: ['$dueAt', null] }, null] }, { $lte: ['$dueAt', '$$NOW'] }],
};

const { first, last } = timelineKept;
const room = {
  $cond: [
    { $lt: [{ $size: '$timeline' }, first + last] },
    '$timeline',
    { $concatArrays: [{ $slice: ['$timeline', first] }, { $slice: ['$timeline', 1 - last] }] },
  ],
};

/** What else a line of the timeline says; `$$REMOVE` says nothing. */
type Extra = { readonly worker?: object | string; readonly dueAt?: object | string };

export const timelineWith = (
  state: EventState | object,
  reason: string | object | null,
  extra: Extra = {},
) => ({ $concatArrays: [room, [{ at: '$$NOW', state, reason, ...extra }]] });

/**
 * The state and its line in the timeline, which are always written together. The table of transitions decides by type
 * which states a change may write.
 */
export const stateChange = <Name extends TransitionName>(
  _change: Name,
  state: StateAfter<Name>,
  note: string | object | null,
) => ({ state, timeline: timelineWith(state, note) });
