/** Giving an event up. A worker that has it may write effects until its next renewal tells it, but no outcome. */
import type { EventRecord } from '../../domain/event.ts';
import { startsFrom } from '../../domain/lifecycle.ts';
import type { Session } from '../model.ts';
import type { Events } from './collection.ts';
import { ledTo } from './expressions.ts';

/** Returns the event as it is now, or null when it has ended already. A worker that has it can finish it no more. */
export const discardEvent =
  (events: Events) =>
  (eventId: string, session: Session): Promise<EventRecord | null> =>
    events.findOneAndUpdate(
      { _id: eventId, state: startsFrom('discard') },
      [
        {
          $set: {
            ...ledTo('discard', 'discarded', null),
            reason: null,
            fence: { $add: ['$fence', 1] },
            claimToken: '$$REMOVE',
            alone: '$$REMOVE',
            open: '$$REMOVE',
            dueAt: null,
            nextAt: null,
            finishedAt: '$$NOW',
          },
        },
      ],
      { returnDocument: 'after', session },
    );
