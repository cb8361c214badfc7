/**
 * Deletes expired data: bodies, copies of resent bodies, events, samples and rejections. Each kind has its own retention period.
 *
 * Promises: batches are bounded and use an index; only terminal events are deleted, and the write repeats the condition of the
 * read, so that an event that was revived between them is not deleted; a body that open items need is not deleted.
 * Every step is idempotent and may run in several processes at once. Every statement has a bound.
 */
import { firstIdAt } from '../../base/ids.ts';
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection } from '../db/connection.ts';
import { listIds } from '../db/queries.ts';
import type { Events } from '../events/state-change.ts';
import { createResendBodyDeletion } from '../events/resend-bodies.ts';
import { rejectionsOf } from '../samples/rejections.ts';
import { pinnedCondition, samplesOf } from '../samples/sample-records.ts';
import { createRetentionVisits } from './retention-visits.ts';

const ended: readonly EventState[] = ['done', 'ignored', 'dead', 'discarded'];
const hasEnded = { state: { $in: [...ended] } };

const retentionBatchSize = 500;
/** Events that one batch looks at: no index tells which of them have a body. */
const maxWindow = 2_000;
/** The maximum number of items whose bodies are in one batch, unless one body alone has more. */
const maxBatchItems = 2_000;

/** The number of changed or deleted documents, and whether more may remain. */
export type BatchResult = { readonly count: number; readonly isMore: boolean };

/** Of events in the order of receipt. `to` is the id of the last one that the batch has passed. */
type PassResult = BatchResult & { readonly to: string };
/** The events after the id `from` that ended before `before`. */
type Due = { readonly before: Date; readonly from: string };

export function createRetentionStore(connection: Connection) {
  return {
    ...createRetentionVisits(connection),
    ...createDeletions(connection),
    /** Deletes rejections that were received before the date. A webhook has about a hundred. */
    async deleteRejections(webhookId: string, before: Date): Promise<BatchResult> {
      const due = { webhookId, receivedAt: { $lt: before } };
      const { deletedCount } = await rejectionsOf(connection).deleteMany(due);
      return { count: deletedCount, isMore: false };
    },
  };
}

/** `items`: the number of items of a split body. */
type Ended = { readonly _id: string; readonly items?: number | null };

/** Returns the first of the events, so many that the statements about their items are bounded. */
function withBoundedItems<E extends Ended>(found: readonly E[]): readonly E[] {
  let items = 0;
  const end = found.findIndex((event, index) => {
    items += event.items ?? 0;
    return index > 0 && items > maxBatchItems;
  });
  return end === -1 ? found : found.slice(0, end);
}

async function withoutOpenItems(events: Events, found: readonly Ended[]): Promise<string[]> {
  const split = { $in: splitIdsOf(found), $type: 'string' as const };
  const needed =
    split.$in.length === 0
      ? []
      : await events.distinct('parentId', { parentId: split, state: { $nin: [...ended] } });
  const open = new Set(needed);
  return found.flatMap(({ _id }) => (open.has(_id) ? [] : _id));
}

const splitIdsOf = (found: readonly Ended[]): string[] =>
  found.flatMap(({ _id, items }) => (items ? _id : []));

const isFull = (read: readonly Ended[], taken: readonly Ended[]): boolean =>
  read.length === retentionBatchSize || taken.length < read.length;

/** Marks the items first. A marked item cannot be replayed, so no item becomes open between the read and the write. */
async function markedWithoutOpenItems(events: Events, found: readonly Ended[]) {
  const likely = new Set(await withoutOpenItems(events, found));
  const bodies = found.filter(({ _id }) => likely.has(_id));
  const split = splitIdsOf(bodies);
  if (split.length === 0) return [...likely];
  const unmarked = {
    parentId: { $in: split, $type: 'string' as const },
    strippedAt: { $exists: false },
    ...hasEnded,
  };
  await events.updateMany(unmarked, [{ $set: { strippedAt: '$$NOW' } }]);
  return withoutOpenItems(events, bodies);
}

function createDeletions(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const samples = samplesOf(connection);
  const resends = createResendBodyDeletion(connection, retentionBatchSize);

  return {
    /** Deletes body, headers and query of events that ended, of the next 2,000 events. */
    async stripBodies(webhookId: string, { before, from }: Due): Promise<PassResult> {
      const end = firstIdAt(+before);
      const inOrder = { sort: { _id: 1 }, hint: 'by_webhook' } as const;
      const [windowEnd] = await listIds(
        events,
        { webhookId, _id: { $gt: from, $lt: end } },
        { ...inOrder, skip: maxWindow - 1, limit: 1 },
      );
      const due = {
        webhookId,
        _id: { $gt: from, ...(windowEnd === undefined ? { $lt: end } : { $lte: windowEnd }) },
        finishedAt: { $lt: before, $type: 'date' as const },
        delivery: { $type: 'object' as const },
      };
      const read = await events
        .find(due, { projection: { items: 1 }, ...inOrder, limit: retentionBatchSize })
        .toArray();
      const found = withBoundedItems(read);
      const ids = await markedWithoutOpenItems(events, found);
      const { modifiedCount } = await events.updateMany(
        { _id: { $in: ids }, finishedAt: { $lt: before }, ...hasEnded },
        [{ $set: { delivery: null, strippedAt: '$$NOW' } }],
      );
      const cut = isFull(read, found) ? found.at(-1)?._id : undefined;
      // An event after `end` was received too late to be due.
      const to = cut ?? windowEnd ?? (end > from ? end : from);
      return { count: modifiedCount, isMore: (cut ?? windowEnd) !== undefined, to };
    },

    /** Deletes the oldest events that ended. */
    async deleteEvents(webhookId: string, { before, from }: Due): Promise<PassResult> {
      const due = { webhookId, finishedAt: { $lt: before, $type: 'date' as const }, ...hasEnded };
      const read = await events
        .find(
          { ...due, _id: { $gt: from, $lt: firstIdAt(+before) } },
          {
            projection: { items: 1 },
            sort: { _id: 1 },
            limit: retentionBatchSize,
            hint: 'by_webhook',
          },
        )
        .toArray();
      const found = withBoundedItems(read);
      const ids = await withoutOpenItems(events, found);
      const gone = await events.deleteMany({ _id: { $in: ids }, ...due });
      const left = new Set(await events.distinct('_id', { _id: { $in: ids } }));
      // If the process ends here, `deleteResendBodies` deletes the remaining copies by age.
      await resends.deleteByEvents(ids.filter((id) => !left.has(id)));
      const to = found.at(-1)?._id ?? from;
      return { count: gone.deletedCount, isMore: isFull(read, found), to };
    },

    deleteResendBodies: (webhookId: string, before: Date): Promise<BatchResult> =>
      resends.deleteBefore(webhookId, before),

    async deleteSamples(webhookId: string, before: Date): Promise<BatchResult> {
      const due = { receivedAt: { $lt: before }, pin: { $not: pinnedCondition } };
      const ids = await listIds(samples, { webhookId, ...due }, { limit: retentionBatchSize });
      const gone = await samples.deleteMany({ _id: { $in: ids }, ...due });
      return { count: gone.deletedCount, isMore: ids.length === retentionBatchSize };
    },
  };
}
