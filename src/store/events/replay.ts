/** Sending an ended event through again, as a new generation under the mapping version of today. */
import { replayableStates, type EventRecord } from '../../domain/event.ts';
import { durable } from '../connection.ts';
import type { Events } from './collection.ts';
import { noted } from './expressions.ts';

export type Replay = {
  readonly eventId: string;
  readonly channelId: string;
  readonly mappingVersion: number;
  readonly state: 'received' | 'held';
};

/** Returns the event as it is now, or null when its state does not allow a replay. */
export function replayEvent(events: Events) {
  return async function replay({
    eventId,
    channelId,
    mappingVersion,
    state,
  }: Replay): Promise<EventRecord | null> {
    return events.findOneAndUpdate(
      { _id: eventId, state: { $in: [...replayableStates] } },
      [
        {
          $set: {
            state,
            reason: null,
            channelId,
            mappingVersion,
            attempts: 0,
            crashes: 0,
            alone: '$$REMOVE',
            generation: { $add: ['$generation', 1] },
            fence: { $add: ['$fence', 1] },
            dueAt: null,
            nextAt: '$$NOW',
            sweeps: 0,
            finishedAt: null,
            open: true,
            timeline: noted(state, 'replayed'),
          },
        },
      ],
      { returnDocument: 'after', ...durable },
    );
  };
}
