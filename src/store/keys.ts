/** Path keys, as their hashes: by them a request finds its webhook. Opened by the webhooks' file alone. */
import type { PathKey } from '../domain/webhook.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { modelOf } from './model.ts';

export const keyCollection = 'keys';

export const keyIndexes: readonly IndexSpec[] = [
  { collection: keyCollection, name: 'by_hash', key: { hash: 1 }, unique: true },
  { collection: keyCollection, name: 'by_webhook', key: { webhookId: 1, createdAt: -1 } },
];

const definition = {
  _id: String,
  webhookId: String,
  hash: String,
  lastFour: String,
  createdAt: Date,
  expiresAt: Date,
  revokedAt: Date,
};

export const keyModel = (connection: Connection) =>
  modelOf<PathKey>(connection, keyCollection, definition);

/** From a key's hash to its webhook: nothing where the key is revoked or expired. */
export const webhookOfKey = (hash: string, now: Date) => [
  {
    $match: {
      hash,
      revokedAt: null,
      $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
    },
  },
  { $lookup: { from: 'webhooks', localField: 'webhookId', foreignField: '_id', as: 'webhook' } },
  { $unwind: '$webhook' },
  { $project: { webhook: 1 } },
];
