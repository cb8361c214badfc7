/**
 * The retention schedule: one document for each webhook, and one for the tasks of the whole installation. Collection
 * `retention`.
 *
 * Promises: several processes share the work, because each claims one document at a time under a lease; a document that a
 * process leaves behind is claimed by another one when the lease ends. All times are the database's.
 */
import { newId } from '../../base/ids.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf, indexesOf, type Connection } from '../db/connection.ts';
import { ignoreDuplicate } from '../db/errors.ts';
import { createLease, leaseExpressions } from '../db/lease.ts';

const collection = 'retention';

export const retentionVisitIndexes = indexesOf(collection, {
  next: { key: { nextAt: 1 } },
});

type VisitRecord = { readonly _id: string; readonly nextAt: Date; readonly token?: string };

/** A claimed document. `webhook` is null for the tasks of the whole installation. */
export type RetentionVisit = Pick<VisitRecord, '_id' | 'token'> & {
  readonly webhook: Pick<Webhook, '_id' | 'settings'> | null;
};

const installation = 'installation';
const leaseFields = { until: 'nextAt', token: 'token' } as const;
/** Longer than one batch takes at most. A second process that claims the document early repeats work and damages nothing. */
const leaseMs = 60_000;
const maxNewWebhooks = 10_000;

export function createRetentionVisits(connection: Connection) {
  const visits = collectionOf<VisitRecord>(connection, collection);
  const webhooks = collectionOf<Webhook>(connection, 'webhooks');
  const lease = createLease(visits, { ...leaseFields, leaseMs });

  async function claim(): Promise<RetentionVisit | null> {
    for (;;) {
      const claimed = await lease.claim({}, { token: newId(), sort: { nextAt: 1 } });
      if (!claimed) return null;
      const { _id, token } = claimed;
      if (_id === installation) return { _id, token, webhook: null };
      const own = { projection: { settings: 1 } } as const;
      const webhook = await webhooks.findOne({ _id }, own);
      if (webhook) return { _id, token, webhook };
      await visits.deleteOne({ _id });
    }
  }

  return {
    async prepare(): Promise<void> {
      const first = { $setOnInsert: { nextAt: new Date(0) } };
      await visits.updateOne({ _id: installation }, first, { upsert: true }).catch(ignoreDuplicate);
    },

    async addWebhooks(): Promise<void> {
      const stages = [
        { $lookup: { from: collection, localField: '_id', foreignField: '_id', as: 'visits' } },
        { $match: { visits: [] } },
        { $limit: maxNewWebhooks },
        { $project: { nextAt: { $literal: new Date(0) } } },
        { $merge: { into: collection, whenMatched: 'keepExisting' } },
      ];
      await webhooks.aggregate(stages, { maxTimeMS: 30_000 }).toArray();
    },

    /** Claims the document that has been due for the longest time. Returns null when none is due. */
    claim,

    /** Ends the lease. The document is due again after `ms`; 0 puts it behind all others that are due. */
    async release({ _id, token = '' }: RetentionVisit, ms: number): Promise<void> {
      const due = leaseExpressions(leaseFields).renewed(ms);
      await visits.updateOne({ _id, token }, [{ $set: due }]);
    },
  };
}
