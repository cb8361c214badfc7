/** Counts of what is stored in the whole installation, for metrics. Every read is bounded, in documents and in time. */
import {
  healthStateOf,
  type ChannelHealth,
  type ChannelHealthState,
} from '../../domain/messages/channel-health.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { DeliveryState } from '../../domain/messages/delivery.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import type { RunRecord } from '../../domain/events/run.ts';
import { endedIndex } from '../events/dead-letters.ts';
import { maxBacklog } from '../events/find-events.ts';
import { collectionOf } from '../db/collection.ts';
import type { Db } from '../db/connection.ts';
import { listSets, type SetRecord } from '../sets/sets.ts';
import { countBy } from '../db/queries.ts';

const maxTimeMS = 5_000;
/** Documents of one state that are read for what is due. */
const maxRead = 10_000;

/** `oldestAt`: since when the longest due event is due; null when none is. */
type DueEvents = { readonly due: number; readonly oldestAt: Date | null };

const eventsOf = (db: Db) => collectionOf<EventRecord>(db.connection, 'events');

export async function countOpenEvents(db: Db) {
  const options = { hint: 'held', limit: maxBacklog, maxTimeMS };
  const [received, waiting, held, sets] = await Promise.all([
    countOpen(db, 'received'),
    countOpen(db, 'waiting'),
    eventsOf(db).countDocuments({ state: 'held' }, options),
    listSets(db.connection),
  ]);
  const processing = eventsIn(sets);
  // Nearly all events in a set are at their first attempt.
  const counts = { received: Math.max(0, received - processing), processing, waiting, held };
  return (['received', 'processing', 'waiting', 'held'] as const).map((state) => ({
    state,
    count: counts[state],
  }));
}

/** Of the events that wait for a retry, the 10,000 that are swept first. */
export async function countDueEvents(db: Db): Promise<DueEvents> {
  const [received, sets, ...found] = await Promise.all([
    countOpen(db, 'received'),
    listSets(db.connection),
    readDue(db, 'received'),
    readDue(db, 'waiting'),
  ]);
  const oldest = found.flatMap(({ oldestAt }) => (oldestAt ? [+oldestAt] : []));
  return {
    due: Math.max(0, received - eventsIn(sets)) + (found[1]?.due ?? 0),
    oldestAt: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
  };
}

export async function countDeadLetters(
  db: Db,
): Promise<readonly { reason: string; count: number }[]> {
  const found = await countBy<string>(eventsOf(db), {
    match: { state: 'dead' },
    by: { $first: { $split: [{ $ifNull: ['$reason', ''] }, ':'] } },
    limit: maxBacklog,
    options: { hint: endedIndex.name, maxTimeMS },
  });
  return found.map(({ key: reason, count }) => ({ reason, count }));
}

/** Reads index keys only. */
const countOpen = (db: Db, state: EventState): Promise<number> =>
  eventsOf(db).countDocuments(
    { open: true, state },
    { hint: 'due_by_webhook', limit: maxBacklog, maxTimeMS },
  );

/** Reads the events of a state that are swept first. */
async function readDue(db: Db, state: EventState): Promise<DueEvents> {
  const dueAt = { $ifNull: ['$dueAt', '$receivedAt'] };
  const isDue = { $lte: [dueAt, '$$NOW'] };
  const [found] = await eventsOf(db)
    .aggregate<DueEvents>(
      [
        { $match: { open: true, state } },
        { $limit: maxRead },
        { $match: { $expr: isDue } },
        { $group: { _id: null, due: { $sum: 1 }, oldestAt: { $min: dueAt } } },
      ],
      { hint: 'due_by_webhook', maxTimeMS },
    )
    .toArray();
  return found ?? { due: 0, oldestAt: null };
}

const eventsIn = (sets: readonly SetRecord[]): number =>
  sets.reduce((sum, { eventIds }) => sum + eventIds.length, 0);

const messagesOf = (db: Db) => collectionOf<MessageRecord>(db.connection, 'messages');

const channelsOf = (db: Db) => collectionOf<ChannelRecord>(db.connection, 'channels');

const runsOf = (db: Db) => collectionOf<RunRecord>(db.connection, 'runs');

const healthsOf = (db: Db) => collectionOf<ChannelHealth>(db.connection, 'channelHealth');

export async function countOpenDeliveries(db: Db) {
  const states = ['waiting', 'sending'] as const satisfies readonly DeliveryState[];
  const options = { hint: 'by_delivery', limit: maxBacklog, maxTimeMS };
  return Promise.all(
    states.map(async (state) => {
      const count = await messagesOf(db).countDocuments({ 'delivery.state': state }, options);
      return { state, count };
    }),
  );
}

export async function countChannels(db: Db) {
  const found = await countBy<Pick<ChannelRecord, 'kind' | 'enabled'>>(channelsOf(db), {
    match: { deletedAt: null },
    by: { kind: '$kind', enabled: '$enabled' },
    limit: maxBacklog,
    options: { maxTimeMS },
  });
  return found.map(({ key, count }) => ({ ...key, count }));
}

/** Returns the number of channels whose destination fails, and of those that were disabled for it, up to 10,000 in all. */
export async function countUnhealthyChannels(
  db: Db,
): Promise<Readonly<Record<'failing' | 'off', number>>> {
  const found = await healthsOf(db)
    .find({ failingSince: { $exists: true } }, { limit: maxRead, maxTimeMS })
    .toArray();
  const ids = found.map(({ _id }) => _id);
  const options = { projection: { enabled: 1 }, maxTimeMS } as const;
  const living = await channelsOf(db)
    .find({ _id: { $in: ids }, deletedAt: null }, options)
    .toArray();
  const byId = new Map(found.map((health) => [health._id, health]));
  const states = living.map((channel) => healthStateOf(byId.get(channel._id), channel));
  const count = (state: ChannelHealthState) => states.filter((one) => one === state).length;
  return { failing: count('failing'), off: count('off') };
}

export async function countOpenRuns(db: Db) {
  const found = await countBy<RunRecord['kind']>(runsOf(db), {
    match: { open: true },
    by: '$kind',
    limit: maxRead,
    options: { maxTimeMS },
  });
  return found.map(({ key: kind, count }) => ({ kind, count }));
}
