/** Replays terminal events as a new generation under the active mapping version. */
import { statesBefore, type StateAfter } from '../../domain/events/lifecycle.ts';
import type { Session } from '../db/connection.ts';
import { stateChange, type Events } from './state-change.ts';

export type Replay = {
  readonly eventId: string;
  readonly change: 'replay' | 'remap';
  readonly channelId: string;
  readonly mappingVersion: number;
  /** The webhook's own limit, if it has one. */
  readonly maxAttempts: number | undefined;
  readonly state: StateAfter<'replay'>;
};

/** Matches an event that can be replayed. A split body cannot: its items are events and are replayed separately. */
const replayable = ({ eventId, change }: Replay) => ({
  _id: eventId,
  state: statesBefore(change),
  items: null,
  // Without its body an event cannot be processed.
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

/** Returns the event after the change, or null when the event cannot be replayed. */
export const replayEvent = (events: Events, replay: Replay, session: Session) =>
  events.findOneAndUpdate(replayable(replay), replayStages(replay, null), {
    returnDocument: 'after',
    session,
  });

/** One step of a replay run. `before` is the start of the run: events that ended later are not changed. */
type ReplayBatch = {
  readonly runId: string;
  readonly before: Date;
  readonly replays: readonly Replay[];
};

/** Replays the events of one step. It is idempotent: a replayed event is open, and its next end is later than `before`. */
export async function replayEvents(events: Events, { runId, before, replays }: ReplayBatch) {
  if (replays.length === 0) return;
  await events.bulkWrite(
    replays.map((replay) => ({
      updateOne: {
        filter: { ...replayable(replay), finishedAt: { $lte: before } },
        update: replayStages(replay, runId),
      },
    })),
    { ordered: false },
  );
}

/** Returns the events among `ids` that the run has replayed, including those of an interrupted earlier step. */
export async function findReplayed(events: Events, runId: string, ids: readonly string[]) {
  const projection = { webhookId: 1, state: 1, test: 1 } as const;
  const found = await events.find({ _id: { $in: [...ids] }, runId }, { projection }).toArray();
  return found.map(({ test, ...event }) => ({
    ...event,
    alone: false,
    isTest: test !== undefined,
  }));
}
