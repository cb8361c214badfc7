/**
 * State changes of events as they happen.
 *
 * Must never: read a payload.
 */
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import { watchCollection, type Change } from '../db/change-stream.ts';
import type { Events } from './state-change.ts';

/** The current event, with the state and reason that the change set. */
export type StateChange = {
  readonly token: string;
  readonly at: Date;
  readonly event: EventRecord;
};

type Found = Change & {
  readonly updateDescription?: { readonly updatedFields: Partial<EventRecord> };
};

/** Selects inserts and updates of the state. Lease renewals and sweeps are excluded. */
const pipeline = [
  {
    $match: {
      $or: [
        { operationType: 'insert' },
        {
          operationType: 'update',
          'updateDescription.updatedFields.state': { $exists: true },
        },
      ],
    },
  },
  {
    $project: {
      documentKey: 1,
      wallTime: 1,
      'updateDescription.updatedFields.state': 1,
      'updateDescription.updatedFields.reason': 1,
    },
  },
];

/** The first line of the timeline holds the state at insertion. */
const withoutBodies = { delivery: 0, resends: 0, timeline: { $slice: 1 } } as const;

/** Watches from now on, or from after a token. Resolves when the stream is open. Throws ChangeStreamLost. */
export const watchEvents = (events: Events) =>
  watchCollection(events, {
    pipeline,
    toItems: (changes: readonly Found[]) => toStateChanges(events, changes),
  });

/** Reads all changed events with one query. Deleted events are omitted. */
async function toStateChanges(events: Events, changes: readonly Found[]): Promise<StateChange[]> {
  if (changes.length === 0) return [];
  const ids = [...new Set(changes.map(({ documentKey }) => documentKey._id))];
  const found = await events.find({ _id: { $in: ids } }, { projection: withoutBodies }).toArray();
  const byId = new Map(found.map((event) => [event._id, event]));
  return changes.flatMap(({ _id, documentKey, wallTime, updateDescription }) => {
    const event = byId.get(documentKey._id);
    if (!event) return [];
    const { state = firstState(event), reason } = updateDescription?.updatedFields ?? {};
    const isNow = state === event.state;
    const changed = { ...event, state, reason: reason ?? (isNow ? event.reason : null) };
    return [{ token: _id._data, at: wallTime ?? event.receivedAt, event: changed }];
  });
}

/** The change of an insert does not contain the state. The first line of the timeline does. */
const firstState = ({ timeline, state }: EventRecord): EventState => timeline[0]?.state ?? state;
