/**
 * Deletes expired data: bodies, copies of resent bodies, events and samples. Each kind has its own retention period.
 *
 * Promises: batches are bounded and use an index; only terminal events are deleted, and the write repeats the condition of the
 * read, so that an event that was revived between them is not deleted; a body that open items need is not deleted.
 * Every step is idempotent and may run in several processes at once.
 */
import { newId } from '../../base/ids.ts';
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Connection, IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead, majorityWrite } from '../db/connection.ts';
import type { Events } from '../events/collection.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { createLease } from '../db/lease.ts';
import { mapStoreErrors } from '../db/model.ts';
import { createResendBodyDeletion } from '../events/resend-bodies.ts';
import { sampleModel } from '../samples/sample-records.ts';

const turnsCollection = 'retention';

export const retentionIndexes: readonly IndexSpec[] = [
  {
    collection: 'events',
    name: 'kept_bodies',
    key: { webhookId: 1, finishedAt: 1 },
    // The index holds only terminal events that have a body, so an insert does not write to it.
    where: { finishedAt: { $type: 'date' }, delivery: { $type: 'object' } },
  },
  // MongoDB creates this index itself. It is listed so that the migration creates the collection.
  { collection: turnsCollection, name: '_id_', key: { _id: 1 } },
];

const ended: readonly EventState[] = ['done', 'ignored', 'dead', 'discarded'];
const hasEnded = { state: { $in: [...ended] } };

/** The maximum number of documents in one command. */
const retentionBatchSize = 200;

/** The number of changed or deleted documents, and whether more may remain. */
export type BatchResult = { readonly count: number; readonly isMore: boolean };

type DatedBatchResult = BatchResult & { readonly to: Date };

type Turn = {
  readonly _id: string;
  readonly nextAt: Date;
  readonly after: string;
  readonly token?: string;
};

export type RetentionStore = ReturnType<typeof createRetentionStore>;

export function createRetentionStore(connection: Connection) {
  return mapStoreErrors({
    ...createTurns(connection),
    ...createDeletions(connection),
  });
}

function createTurns(connection: Connection) {
  const turns = collectionOf<Turn>(connection, turnsCollection);
  const webhooks = collectionOf<Webhook>(connection, 'webhooks');
  const _id = 'turn';

  return {
    /** Claims the turn for `forMs`. Returns the webhook id to continue after, or null when another process has the turn. */
    async claimTurn(forMs: number): Promise<string | null> {
      const first: Turn = { _id, nextAt: new Date(0), after: '' };
      await turns
        .updateOne({ _id }, { $setOnInsert: first }, { upsert: true, ...majorityWrite })
        .catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
      const lease = createLease(turns, { until: 'nextAt', token: 'token', leaseMs: forMs });
      const turn = await lease.claim({ _id }, { token: newId() });
      return turn && turn.after;
    },
    async saveCursor(after: string): Promise<void> {
      await turns.updateOne({ _id }, { $set: { after } }, majorityWrite);
    },
    /** Returns the next webhooks by id, including archived ones. */
    webhooksAfter: (after: string, limit: number) =>
      webhooks
        .find(
          { _id: { $gt: after } },
          { projection: { settings: 1 }, sort: { _id: 1 }, limit, ...majorityRead },
        )
        .toArray() as Promise<Pick<Webhook, '_id' | 'settings'>[]>,
  };
}

/** Returns a function that returns the ids of the bodies without open items. */
const createWithoutOpenItems =
  (events: Events) =>
  async (ids: readonly string[]): Promise<string[]> => {
    const needed = await events.distinct(
      'parentId',
      { parentId: { $in: [...ids], $type: 'string' }, state: { $nin: [...ended] } },
      { ...majorityRead },
    );
    const open = new Set(needed);
    return ids.filter((id) => !open.has(id));
  };

function createDeletions(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const samples = sampleModel(connection);
  const resends = createResendBodyDeletion(connection, retentionBatchSize);
  const idsOf = (found: readonly { readonly _id: string }[]) => found.map(({ _id }) => _id);

  const withoutOpenItems = createWithoutOpenItems(events);

  return {
    /** Deletes body, headers and query of events that ended before `before`. `from` is the `to` of the previous batch. */
    async stripBodies(webhookId: string, before: Date, from: Date): Promise<DatedBatchResult> {
      const due = {
        webhookId,
        finishedAt: { $gte: from, $lt: before, $type: 'date' },
        delivery: { $type: 'object' },
      };
      const found = await events
        .find(due as never, {
          projection: { finishedAt: 1 },
          sort: { finishedAt: 1 },
          limit: retentionBatchSize,
          hint: 'kept_bodies',
          ...majorityRead,
        })
        .toArray();
      // The items are marked first. A marked item cannot be replayed, so no item becomes open between the read and the write.
      const likely = await withoutOpenItems(idsOf(found));
      const items = { parentId: { $in: likely, $type: 'string' }, ...hasEnded };
      await events.updateMany(items as never, [{ $set: { strippedAt: '$$NOW' } }], majorityWrite);
      const ids = await withoutOpenItems(likely);
      const { modifiedCount } = await events.updateMany(
        { _id: { $in: ids }, finishedAt: { $lt: before }, ...hasEnded },
        [{ $set: { delivery: null, strippedAt: '$$NOW' } }],
        majorityWrite,
      );
      const last = found.at(-1)?.finishedAt ?? before;
      const isMore = found.length === retentionBatchSize && (ids.length > 0 || +last > +from);
      return { count: modifiedCount, isMore, to: last };
    },

    /** Deletes the oldest events that ended before `before`. `from` is the `to` of the previous batch. */
    async deleteEvents(webhookId: string, before: Date, from: Date): Promise<DatedBatchResult> {
      const due = { webhookId, finishedAt: { $lt: before, $type: 'date' }, ...hasEnded };
      const found = await events
        .find({ ...due, receivedAt: { $gte: from, $lt: before } } as never, {
          projection: { receivedAt: 1 },
          sort: { receivedAt: 1, _id: 1 },
          limit: retentionBatchSize,
          hint: 'by_webhook',
          ...majorityRead,
        })
        .toArray();
      const ids = await withoutOpenItems(idsOf(found));
      const gone = await events.deleteMany({ _id: { $in: ids }, ...due } as never, majorityWrite);
      const left = new Set(
        await events.distinct('_id', { _id: { $in: ids } }, { ...majorityRead }),
      );
      // If the process ends here, `deleteResendBodies` deletes the remaining copies by age.
      await resends.deleteByEvents(ids.filter((id) => !left.has(id)));
      const last = found.at(-1)?.receivedAt ?? before;
      const isMore =
        found.length === retentionBatchSize && (gone.deletedCount > 0 || +last > +from);
      return { count: gone.deletedCount, isMore, to: last };
    },

    deleteResendBodies: (webhookId: string, before: Date): Promise<BatchResult> =>
      resends.deleteBefore(webhookId, before),

    /** Deletes samples that were received before the date and are not pinned. */
    async deleteSamples(webhookId: string, before: Date): Promise<BatchResult> {
      const due = { receivedAt: { $lt: before }, pin: { $not: { $type: 'number' } } };
      const found = await samples
        .find({ webhookId, ...due } as never, { _id: 1 })
        .limit(retentionBatchSize)
        .lean<{ _id: string }[]>();
      const gone = await samples.deleteMany({ _id: { $in: idsOf(found) }, ...due } as never);
      return { count: gone.deletedCount, isMore: found.length === retentionBatchSize };
    },
  };
}
