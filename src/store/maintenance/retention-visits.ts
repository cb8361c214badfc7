/**
 * The retention schedule: one document for each webhook, and one for the tasks of the whole installation. Collection
 * `retention`.
 *
 * Promises: several processes share the work, because each claims one document at a time under a lease; a document that a
 * process leaves behind is claimed by another one when the lease ends. All times are the database's.
 */
import { newId } from '../../base/ids.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection } from '../db/connection.ts';
import { ignoreDuplicate } from '../db/errors.ts';
import { createLease, leaseExpressions } from '../db/lease.ts';

const collection = 'retention';

export const retentionVisitIndexes = indexesOf(collection, {
  next: { key: { nextAt: 1 } },
});

/**
 * A pass over the events of a webhook in the order of receipt, which deletes bodies. No index holds the bodies that are kept. After
 * the pass, the next visits go on from its end; a new pass finds what had not ended in time.
 */
export type BodyPass = {
  readonly startedAt: Date;
  /** The id up to which the bodies were looked at. */
  readonly to: string;
  /** Whether it has reached its end once. */
  readonly isComplete: boolean;
};

type VisitRecord = {
  readonly _id: string;
  readonly nextAt: Date;
  readonly token?: string;
  readonly bodies?: BodyPass;
};

/** A claimed document. `webhook` is null for the tasks of the whole installation. */
export type RetentionVisit = Pick<VisitRecord, '_id' | 'token' | 'bodies'> & {
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
      const { _id, token, bodies } = claimed;
      if (_id === installation) return { _id, token, webhook: null };
      const own = { projection: { settings: 1 } } as const;
      const webhook = await webhooks.findOne({ _id }, own);
      if (webhook) return { _id, token, webhook, ...(bodies && { bodies }) };
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

    async saveBodyPass({ _id, token = '' }: RetentionVisit, bodies: BodyPass): Promise<void> {
      await visits.updateOne({ _id, token }, { $set: { bodies } });
    },

    /** Ends the lease. The document is due again after `ms`; 0 puts it behind all others that are due. */
    async release({ _id, token = '' }: RetentionVisit, ms: number): Promise<void> {
      const due = leaseExpressions(leaseFields).renewed(ms);
      await visits.updateOne({ _id, token }, [{ $set: due }]);
    },
  };
}
