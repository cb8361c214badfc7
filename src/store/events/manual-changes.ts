/** Changes of one event by a person, with their audit rows. */
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { changeAudited, type ChangeResult } from '../audit/audited-change.ts';
import type { Session, Db } from '../db/connection.ts';
import type { Events } from './state-change.ts';
import { discardEvent } from './discard.ts';
import { replayEvent, type Replay } from './replay.ts';
import { recordInAudit } from '../audit/audit.ts';

const factsOf = ({ state, reason, generation }: EventRecord) => ({ state, reason, generation });

export function createManualChanges(context: Db, events: Events) {
  const about = (_id: string, actor: Actor) => ({
    actor,
    target: { type: 'event', id: _id } as const,
    read: (session: Session) => events.findOne({ _id }, { session }),
    factsOf,
  });
  return {
    /** Writes the audit row of a person who reads the unmasked event. */
    recordReveal: (eventId: string, actor: Actor): Promise<void> =>
      recordInAudit(context, {
        actor,
        action: 'event.reveal',
        target: { type: 'event', id: eventId },
      }),
    /** Writes the audit row of an export of payloads. `filters` may contain personal data. */
    recordExport: (filters: readonly string[], actor: Actor): Promise<void> =>
      recordInAudit(context, {
        actor,
        action: 'event.export',
        target: { type: 'event', id: newId() },
        after: { filters: [...filters] },
      }),
    replay: (replay: Replay, actor: Actor): Promise<ChangeResult<EventRecord>> =>
      changeAudited<EventRecord>(context, {
        ...about(replay.eventId, actor),
        action: `event.${replay.change}`,
        write: (session) => replayEvent(events, replay, session),
      }),
    discard: (eventId: string, actor: Actor): Promise<ChangeResult<EventRecord>> =>
      changeAudited<EventRecord>(context, {
        ...about(eventId, actor),
        action: 'event.discard',
        write: (session) => discardEvent(events, eventId, session),
      }),
  };
}
