/**
 * Rejections: requests with a valid key that were not accepted. Collection `rejections`. A webhook keeps the newest 100.
 *
 * Promises: a batch costs at most three statements for any number of webhooks. Two processes that add at the same
 * time leave at most 100 once the later one has trimmed.
 */
import { derivedId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import { maxRejections, type Rejection } from '../../domain/webhooks/rejection.ts';
import { removeAudited } from '../audit/audited-change.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection, type Db } from '../db/connection.ts';
import { anyOf, inDateRange, readPage } from '../db/queries.ts';
import { withoutTexts, withTexts } from './sample-records.ts';
import { recordOnceInAudit } from '../audit/audit.ts';

const collection = 'rejections';

export const rejectionIndexes = indexesOf(collection, {
  by_webhook: { key: { webhookId: 1, receivedAt: -1, _id: -1 } },
});

/** Headers and query as JSON text, because names of the sender may contain dots and dollar signs. */
type RejectionRecord = Omit<Rejection, 'headers' | 'query'> & {
  readonly headers: string;
  readonly query: string;
};

export const rejectionsOf = (connection: Connection) =>
  collectionOf<RejectionRecord>(connection, collection);

export const toRejection = (record: RejectionRecord): Rejection => ({
  ...withoutTexts(record),
  body: record.body && Buffer.from(record.body),
});

export type RejectionFilter = DateRange & { readonly code?: readonly string[] };
export type RejectionKey = Pick<Rejection, '_id' | 'webhookId'>;

const targetOf = (id: string) => ({ type: 'rejection', id }) as const;
type Facts = Pick<Rejection, 'webhookId' | 'receivedAt' | 'code'>;
const factsOf = ({ webhookId, receivedAt, code }: Facts) => ({ webhookId, receivedAt, code });

export type RejectionStore = ReturnType<typeof createRejectionStore>;

export function createRejectionStore(context: Db) {
  const { connection } = context;
  const rejections = rejectionsOf(connection);
  return {
    ...createRejectionChanges(context),

    async add(batch: readonly Rejection[]): Promise<void> {
      if (batch.length === 0) return;
      await rejections.insertMany(batch.map(withTexts), { ordered: false });
      const webhookIds = [...new Set(batch.map(({ webhookId }) => webhookId))];
      const beyond = await listBeyond(rejections, webhookIds);
      if (beyond.length > 0) await rejections.deleteMany({ _id: { $in: beyond } });
    },

    async list(webhookId: string, filter: RejectionFilter, page: Page): Promise<Paged<Rejection>> {
      const { code } = filter;
      const where = { webhookId, ...anyOf({ code }), ...inDateRange('receivedAt', filter) };
      const { results, total } = await readPage(rejections, where, page);
      return { results: results.map(toRejection), total };
    },

    async get({ _id, webhookId }: RejectionKey): Promise<Rejection | null> {
      const record = await rejections.findOne({ _id, webhookId });
      return record && toRejection(record);
    },

    async all(webhookId: string): Promise<Rejection[]> {
      return (await rejections.find({ webhookId }).toArray()).map(toRejection);
    },

    /** Notes what a person made of the rejection, which may be gone by now. */
    async markTaken(
      { _id, webhookId }: RejectionKey,
      made: Pick<Rejection, 'sampleId' | 'eventId'>,
    ): Promise<void> {
      await rejections.updateOne({ _id, webhookId }, { $set: made });
    },
  };
}

/** Returns the ids beyond the newest 100 of each webhook, from the keys of the index. */
async function listBeyond(
  rejections: ReturnType<typeof rejectionsOf>,
  webhookIds: readonly string[],
): Promise<string[]> {
  const found = await rejections
    .aggregate<{ ids: string[] }>([
      { $match: { webhookId: { $in: [...webhookIds] } } },
      { $sort: { webhookId: 1, receivedAt: -1, _id: -1 } },
      { $group: { _id: '$webhookId', ids: { $push: '$_id' } } },
      { $match: { [`ids.${maxRejections}`]: { $exists: true } } },
      { $project: { ids: { $slice: ['$ids', maxRejections, { $size: '$ids' }] } } },
    ])
    .toArray();
  return found.flatMap(({ ids }) => ids);
}

const createRejectionChanges = (context: Db) => ({
  remove: ({ _id, webhookId }: RejectionKey, actor: Actor) =>
    removeAudited(context, {
      actor,
      action: 'rejection.delete',
      target: targetOf(_id),
      remove: (session) =>
        rejectionsOf(context.connection).findOneAndDelete({ _id, webhookId }, { session }),
      factsOf,
    }),

  /** Writes the audit row of the first person who makes an event of the rejection, before the event is recorded. */
  auditRecording: (rejection: Rejection, actor: Actor): Promise<void> =>
    recordOnceInAudit(context, derivedId('rejection.record', rejection._id), {
      actor,
      action: 'rejection.record',
      target: targetOf(rejection._id),
      after: factsOf(rejection),
    }),
});
