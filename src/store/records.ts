/** How webhooks and mapping versions lie in the database: the two that an activation changes together. */
import type { MappingVersion } from '../domain/version.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { Connection } from './connection.ts';
import { modelOf } from './model.ts';

const webhookDefinition = {
  _id: String,
  name: String,
  channelId: String,
  producerProfile: String,
  settings: {},
  status: String,
  sampledAt: Date,
  activeVersion: Number,
  lastVersion: Number,
  overlaps: [{ _id: false, version: Number, until: Date }],
  createdAt: Date,
  updatedAt: Date,
  changedAt: Date,
};

export const webhookModel = (connection: Connection) =>
  modelOf<Webhook>(connection, 'webhooks', webhookDefinition);

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
