/** The stored form of webhooks and mapping versions, which an activation changes together. */
import { failure, type Failure } from '../../base/result.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Connection } from '../db/connection.ts';
import { modelOf, type Session } from '../db/model.ts';

/** With what only the database reads. */
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

/** The document as JSON text: see the mappings' file. */
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

/** The first sample has arrived: draft becomes sampled, or mapped where a mapping was saved before. */
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

/** Why no webhook that is not archived has this id. */
export async function missingOrArchived(
  webhooks: ReturnType<typeof webhookModel>,
  id: string,
  session: Session,
): Promise<Failure<'not_found' | 'archived'>> {
  const isThere = await webhooks.exists({ _id: id }).session(session);
  return failure(isThere ? 'archived' : 'not_found');
}
