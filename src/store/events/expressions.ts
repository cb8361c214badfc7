/** Pieces of update pipelines. Text that came from outside is always wrapped, since a leading `$` is an expression. */
import type { EventState } from '../../domain/event.ts';
import type { Change, StateAfter } from '../../domain/lifecycle.ts';

/** The last entries are kept; a replayed and retried event writes about twenty. */
const maxTimelineEntries = 100;

export const literal = (value: unknown) => ({ $literal: value });

export const inMs = (ms: number | object) => ({ $add: ['$$NOW', ms] });

/** Due means: no time is set, or the database's clock has reached it. */
export const isDue = {
  $or: [{ $eq: [{ $ifNull: ['$dueAt', null] }, null] }, { $lte: ['$dueAt', '$$NOW'] }],
};

export const noted = (state: EventState | object, reason: string | object | null) => ({
  $slice: [{ $concatArrays: ['$timeline', [{ at: '$$NOW', state, reason }]] }, -maxTimelineEntries],
});

/**
 * The state and its line in the timeline, which are always written together. The table of transitions decides by type
 * which states a change may write.
 */
export const ledTo = <Name extends Change>(
  _change: Name,
  state: StateAfter<Name>,
  note: string | object | null,
) => ({ state, timeline: noted(state, note) });
