/** The stored form of webhooks and mapping versions, which an activation changes together. */
import { failure, type Failure } from '../../base/result.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Connection } from '../db/connection.ts';
import { modelOf, type Session } from '../db/model.ts';

/** A webhook with the fields that only queries use. */
type WebhookRecord = Webhook & { readonly nameKey?: string };

const webhookDefinition = {
  _id: String,
  name: String,
  nameKey: String,
  channelId: String,
  producerProfile: String,
  settings: {},
  configuredAt: Date,
  status: String,
  sampledAt: Date,
  activeVersion: Number,
  lastVersion: Number,
  formerVersions: [Number],
  schedule: {},
  overlaps: [{ _id: false, version: Number, until: Date }],
  createdAt: Date,
  updatedAt: Date,
  changedAt: Date,
};

export const webhookModel = (connection: Connection) =>
  modelOf<WebhookRecord>(connection, 'webhooks', webhookDefinition);

/** A mapping version with its document as JSON text; `mappings.ts` explains why. */
export type VersionRecord = Omit<MappingVersion, 'mapping'> & {
  readonly _id: string;
  readonly document: string;
};

const versionDefinition = {
  _id: String,
  webhookId: String,
  version: Number,
  document: String,
  status: String,
  createdAt: Date,
  createdBy: String,
  activatedAt: Date,
};

export const versionModel = (connection: Connection) =>
  modelOf<VersionRecord>(connection, 'mappings', versionDefinition);

/** Changes a draft webhook to sampled, or to mapped when it has a mapping. Called after a sample is stored. */
export async function markSampled(
  webhooks: ReturnType<typeof webhookModel>,
  id: string,
  session?: Session,
): Promise<void> {
  const status = { $cond: [{ $gt: ['$lastVersion', 0] }, 'mapped', 'sampled'] };
  const noticed = { updatedAt: '$$NOW', changedAt: '$$NOW' };
  await webhooks.updateOne(
    { _id: id, status: 'draft' },
    [{ $set: { status, sampledAt: '$$NOW', ...noticed } }],
    { updatePipeline: true, ...(session && { session }) },
  );
}

/** Returns the failure for an id without an unarchived webhook: `not_found` or `archived`. */
export async function missingOrArchived(
  webhooks: ReturnType<typeof webhookModel>,
  id: string,
  session: Session,
): Promise<Failure<'not_found' | 'archived'>> {
  const isThere = await webhooks.exists({ _id: id }).session(session);
  return failure(isThere ? 'archived' : 'not_found');
}
