/** The stored form of webhooks and mapping versions, which an activation changes together. */
import { failure, type Failure } from '../../base/result.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import type { Connection, Session } from '../db/connection.ts';
import { exists } from '../db/queries.ts';

/** A webhook with the fields that only queries use. */
type WebhookRecord = Webhook & { readonly nameKey?: string };

export type Webhooks = Collection<WebhookRecord>;

export const webhooksOf = (connection: Connection): Webhooks =>
  collectionOf<WebhookRecord>(connection, 'webhooks');

/** A mapping version with its document as JSON text; `mappings.ts` explains why. */
export type VersionRecord = Omit<MappingVersion, 'mapping'> & {
  readonly _id: string;
  readonly document: string;
};

export const versionsOf = (connection: Connection) =>
  collectionOf<VersionRecord>(connection, 'mappings');

/** Changes a draft webhook to sampled, or to mapped when it has a mapping. Called after a sample is stored. */
export async function markSampled(webhooks: Webhooks, id: string, session?: Session) {
  const status = { $cond: [{ $gt: ['$lastVersion', 0] }, 'mapped', 'sampled'] };
  const noticed = { updatedAt: '$$NOW', changedAt: '$$NOW' };
  await webhooks.updateOne(
    { _id: id, status: 'draft' },
    [{ $set: { status, sampledAt: '$$NOW', ...noticed } }],
    { session },
  );
}

/** Returns the failure for an id without an unarchived webhook: `not_found` or `archived`. */
export async function missingOrArchived(
  webhooks: Webhooks,
  id: string,
  session: Session,
): Promise<Failure<'not_found' | 'archived'>> {
  return failure((await exists(webhooks, { _id: id }, { session })) ? 'archived' : 'not_found');
}
