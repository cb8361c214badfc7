/**
 * State changes of events as they happen.
 *
 * Must never: read a payload.
 */
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import { majorityRead } from '../db/connection.ts';
import { watchCollection, type Change } from '../db/change-stream.ts';
import type { Events } from '../events/collection.ts';

/** The event as it is now, with the state that the change gave it. */
export type StateChange = {
  readonly token: string;
  readonly at: Date;
  readonly event: EventRecord;
};

type Found = Change & {
  readonly updateDescription?: { readonly updatedFields: Partial<EventRecord> };
};

/** Inserts, and updates that give another state: no renewal of a lease, no sweep. */
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

/** The first line of the timeline says how it was recorded. */
const withoutBodies = { delivery: 0, resends: 0, timeline: { $slice: 1 } } as const;

/** From now on, or from behind a token. Resolves once nothing more can be missed. Throws WatchLost. */
export const watchEvents = (events: Events) =>
  watchCollection(events, {
    pipeline,
    toItems: (changes: readonly Found[]) => tell(events, changes),
  });

/** Reads all changed events at once; deleted events are left out. */
async function tell(events: Events, changes: readonly Found[]): Promise<StateChange[]> {
  if (changes.length === 0) return [];
  const ids = [...new Set(changes.map(({ documentKey }) => documentKey._id))];
  const found = await events
    .find({ _id: { $in: ids } }, { projection: withoutBodies, ...majorityRead })
    .toArray();
  const byId = new Map(found.map((event) => [event._id, event]));
  return changes.flatMap(({ _id, documentKey, wallTime, updateDescription }) => {
    const event = byId.get(documentKey._id);
    if (!event) return [];
    const { state = firstState(event), reason } = updateDescription?.updatedFields ?? {};
    const isNow = state === event.state;
    const told = { ...event, state, reason: reason ?? (isNow ? event.reason : null) };
    return [{ token: _id._data, at: wallTime ?? event.receivedAt, event: told }];
  });
}

/** An insert says nothing but that it was one. */
const firstState = ({ timeline, state }: EventRecord): EventState => timeline[0]?.state ?? state;
