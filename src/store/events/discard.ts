/** Discards events. A worker that has claimed one may write effects until its next renewal, but no outcome. */
import type { EventState } from '../../domain/events/event.ts';
import { statesBefore } from '../../domain/events/lifecycle.ts';
import type { Session } from '../db/connection.ts';
import { stateChange, type Events } from './state-change.ts';

const stages = (runId: string | null) => [
  {
    $set: {
      ...stateChange('discard', 'discarded', null),
      reason: null,
      fence: { $add: ['$fence', 1] },
      claimToken: '$$REMOVE',
      alone: '$$REMOVE',
      open: '$$REMOVE',
      dueAt: null,
      nextAt: null,
      finishedAt: '$$NOW',
      runId: runId ?? '$$REMOVE',
    },
  },
];

/** Returns the event after the change, or null when its state does not allow a discard. It ends a claim on the event. */
export const discardEvent = (events: Events, _id: string, session: Session) =>
  events.findOneAndUpdate({ _id, state: statesBefore('discard') }, stages(null), {
    returnDocument: 'after',
    session,
  });

/** One step of a discard run. It is idempotent, because discarded events have ended. */
type DiscardBatch = {
  readonly runId: string;
  /** The start of the run. Events that were received or revived later are not changed. */
  readonly before: Date;
  /** The states that the run selects. An event that has another state by now is not changed. */
  readonly states: readonly EventState[];
  readonly ids: readonly string[];
};

/** A resend or a replay revives an event. A discard that was requested before then does not apply to it. */
const lastRevivedBefore = (date: Date) => ({
  receivedAt: { $lte: date },
  livesAgainAt: { $not: { $gt: date } },
});

export async function discardEvents(events: Events, { runId, before, states, ids }: DiscardBatch) {
  const { $in: allowed } = statesBefore('discard');
  const state = { $in: allowed.filter((one) => states.includes(one)) };
  const where = { _id: { $in: [...ids] }, state, ...lastRevivedBefore(before) };
  await events.updateMany(where, stages(runId));
}
