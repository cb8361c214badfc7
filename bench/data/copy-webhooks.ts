/** Copies an active webhook, with a channel and a key of its own for each copy. */
import { hash } from 'node:crypto';
import type mongoose from 'mongoose';
import { copyDocuments, type Database } from './copy-documents.ts';

type Db = ReturnType<mongoose.mongo.MongoClient['db']>;

const keyOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Returns the paths of the copies, to which events are posted. */
export async function copyWebhooks(db: Db, url: string, copies: number): Promise<string[]> {
  const original = keyOf(url);
  const copiedKey = (copy: number) => `${original.slice(0, -6)}${String(copy).padStart(6, '0')}`;
  const key = await db.collection('keys').findOne({ hash: hash('sha256', original) });
  const webhookId = key?.webhookId;
  const webhook = await db.collection('webhooks').findOne({ _id: webhookId });
  const filters: Readonly<Record<string, Record<string, unknown>>> = {
    webhooks: { _id: webhookId },
    channels: { _id: webhook?.channelId },
  };
  const kept = new Set(['labelIds', 'sectorId']);
  await copyDocuments(db as unknown as Database, {
    collections: ['channels', 'webhooks', 'mappings', 'keys'],
    copies,
    stepMs: 1,
    kept: () => kept,
    filterOf: (collection) => filters[collection] ?? { webhookId },
    hashOf: (copy) => hash('sha256', copiedKey(copy)),
  });
  const folder = new URL('.', url).pathname;
  return Array.from({ length: copies }, (_, index) => `${folder}${copiedKey(index + 1)}`);
}
