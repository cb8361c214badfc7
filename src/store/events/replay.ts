/** Replays terminal events as a new generation under the active mapping version. */
import type { EventRecord } from '../../domain/events/event.ts';
import { statesBefore, type StateAfter } from '../../domain/events/lifecycle.ts';
import { majorityRead, majorityWrite } from '../db/connection.ts';
import type { Session } from '../db/model.ts';
import type { Events } from './collection.ts';
import { stateChange } from './state-change.ts';
import type { DueEvent } from './sweep.ts';

export type Replay = {
  readonly eventId: string;
  readonly change: 'replay' | 'remap';
  readonly channelId: string;
  readonly mappingVersion: number;
  /** The webhook's own limit, if it has one. */
  readonly maxAttempts: number | undefined;
  readonly state: StateAfter<'replay'>;
};

/** A body that was split is done for good: its items are events of their own, and go through again by themselves. */
const mayGo = ({ eventId, change }: Replay) => ({
  _id: eventId,
  state: statesBefore(change),
  items: null,
  // Without a body there is nothing to send through.
  strippedAt: { $exists: false },
  erased: { $exists: false },
});

const replayStages = (replay: Replay, runId: string | null) => {
  const { change, channelId, mappingVersion, maxAttempts, state } = replay;
  const isHeld = state === 'held';
  return [
    {
      $set: {
        ...stateChange(change, state, change === 'remap' ? 'remapped' : 'replayed'),
        reason: null,
        channelId,
        mappingVersion,
        attempts: 0,
        maxAttempts: maxAttempts ?? '$$REMOVE',
        crashes: 0,
        alone: '$$REMOVE',
        generation: { $add: ['$generation', 1] },
        fence: { $add: ['$fence', 1] },
        dueAt: isHeld ? null : '$$NOW',
        nextAt: isHeld ? null : '$$NOW',
        sweeps: 0,
        finishedAt: null,
        livesAgainAt: '$$NOW',
        open: isHeld ? '$$REMOVE' : true,
        runId: runId ?? '$$REMOVE',
      },
    },
  ];
};

/** Returns the event as it is now, or null when its state does not allow a replay. */
export const replayEvent = (events: Events) => (replay: Replay, session: Session) =>
  events.findOneAndUpdate(mayGo(replay), replayStages(replay, null), {
    returnDocument: 'after',
    session,
  });

/** The part of a run that is done at once; `before` is when the run began: what ended later is left alone. */
type ReplayBatch = {
  readonly runId: string;
  readonly before: Date;
  readonly replays: readonly Replay[];
};

/** Doing it twice does it once: what is sent through is not ended any more, and ends too late for this run. */
export function replayEvents(events: Events) {
  return async function replayMany({ runId, before, replays }: ReplayBatch): Promise<void> {
    if (replays.length === 0) return;
    await events.bulkWrite(
      replays.map((replay) => ({
        updateOne: {
          filter: { ...mayGo(replay), finishedAt: { $lte: before } },
          update: replayStages(replay, runId),
        },
      })),
      { ordered: false, ...majorityWrite },
    );
  };
}

type ReplayedEvent = DueEvent & Pick<EventRecord, 'state'> & { readonly isTest: boolean };

/** Which of the events the run has sent through, now or in a step before that was cut short. */
export function findReplayed(events: Events) {
  return async function sent(runId: string, ids: readonly string[]): Promise<ReplayedEvent[]> {
    const found = await events
      .find(
        { _id: { $in: [...ids] }, runId },
        { projection: { webhookId: 1, state: 1, test: 1 }, ...majorityRead },
      )
      .toArray();
    return found.map(({ _id, webhookId, state, test }) => ({
      _id,
      webhookId,
      state,
      alone: false,
      isTest: test !== undefined,
    }));
  };
}
