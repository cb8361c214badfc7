/** What a person decides about one event, together with its audit row. */
import type { Actor } from '../../domain/audit.ts';
import type { EventRecord } from '../../domain/event.ts';
import { createAudited } from '../audited.ts';
import type { Connection } from '../connection.ts';
import type { Session } from '../model.ts';
import type { Events } from './collection.ts';
import { discardEvent } from './discard.ts';
import { replayEvent, type Replay } from './replay.ts';

const factsOf = ({ state, reason, generation }: EventRecord) => ({ state, reason, generation });

/** Each returns the event as it is now, or null when its state forbids it. */
export function createDecisions(connection: Connection, events: Events) {
  const audited = createAudited(connection);
  const about = (_id: string, actor: Actor) => ({
    actor,
    target: { type: 'event', id: _id } as const,
    read: (session: Session) => events.findOne({ _id }, { session }),
    factsOf,
  });
  return {
    replay: (replay: Replay, actor: Actor): Promise<EventRecord | null> =>
      audited({
        ...about(replay.eventId, actor),
        action: `event.${replay.change}`,
        write: (session) => replayEvent(events)(replay, session),
      }),
    discard: (eventId: string, actor: Actor): Promise<EventRecord | null> =>
      audited({
        ...about(eventId, actor),
        action: 'event.discard',
        write: (session) => discardEvent(events)(eventId, session),
      }),
  };
}
