/**
 * Path keys by their SHA-256. Collection `keys`. The receiver finds the webhook of a request by its key.
 *
 * Promises: a rotation or revocation is written with its audit row and moves the webhook's `changedAt`, so that every receiver
 * detects it. Concurrent rotations run one after the other, and no key is lost.
 * Must never: hold a path key, only its hash.
 */
import { changeAudited } from '../audit/audited-change.ts';
import { newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Page } from '../../domain/pagination.ts';
import type { KeyUse, PathKey } from '../../domain/webhooks/webhook.ts';
import { collectionOf } from '../db/collection.ts';
import {
  indexesOf,
  inTransaction,
  type Connection,
  type Session,
  type Db,
} from '../db/connection.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { readPage } from '../db/queries.ts';
import { sendUpdates } from '../db/updates.ts';
import { missingOrArchived, webhooksOf, type Webhooks } from './records.ts';
import { addAuditRow } from '../audit/audit.ts';

const collection = 'keys';

export const keyIndexes = indexesOf(collection, {
  by_hash: { key: { hash: 1 }, unique: true },
  by_webhook: { key: { webhookId: 1, createdAt: -1 } },
  by_end: { key: { expiresAt: 1 }, where: { expiresAt: { $type: 'date' } } },
});

export const keysOf = (connection: Connection) => collectionOf<PathKey>(connection, collection);

export const validKeyConditions = (now: Date) => ({
  revokedAt: null,
  $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
});

/** Returns the pipeline that reads the webhook of a key by the key's hash. Revoked and expired keys give no result. */
export const keyLookupPipeline = (hashes: readonly string[], now: Date) => [
  { $match: { hash: { $in: [...hashes] }, ...validKeyConditions(now) } },
  { $lookup: { from: 'webhooks', localField: 'webhookId', foreignField: '_id', as: 'webhook' } },
  { $unwind: '$webhook' },
  { $project: { hash: 1, webhook: 1, expiresAt: 1 } },
];

/** Of a key that was just created. */
export const newKey = { revokedAt: null, uses: 0, usesBefore: 0, lastUsedAt: null } as const;

type NewKey = Pick<PathKey, 'webhookId' | 'hash' | 'lastFour' | 'expiresAt'> & {
  /** Milliseconds for which earlier keys stay valid, unless they expire sooner; 0: they are revoked; null: they stay as they are. */
  readonly overlapMs: number | null;
};

type ImportedKey = Omit<NewKey, 'overlapMs'>;

export type Rotation = {
  readonly key: PathKey;
  /** When the last of the earlier keys expires; null when none was valid. */
  readonly previousExpiresAt: Date | null;
};

export const getKey = (db: Db, webhookId: string, id: string) =>
  keysOf(db.connection).findOne({ _id: id, webhookId });

/** Returns the key with this hash, unless it is revoked. */
export const findKeyByHash = (db: Db, hash: string): Promise<PathKey | null> =>
  keysOf(db.connection).findOne({ hash, revokedAt: null });

/** Returns the newest keys that are valid at the given time. */
export const listValidKeys = (
  db: Db,
  webhookId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<PathKey[]> =>
  keysOf(db.connection)
    .find({ webhookId, ...validKeyConditions(now) }, { sort: { createdAt: -1 }, limit })
    .toArray();

export const listKeys = (db: Db, webhookId: string, page: Page) =>
  readPage(keysOf(db.connection), { webhookId }, page);

/** Adds the uses to the keys' counts. Deleted keys are skipped. Do not retry after an error: some may be there. */
export const addKeyUses = (db: Db, uses: readonly KeyUse[]): Promise<void> =>
  sendUpdates(
    db.connection,
    collection,
    uses.map(({ keyId, uses: more, lastUsedAt }) => ({
      q: { _id: keyId },
      u: { $inc: { uses: more }, $max: { lastUsedAt } },
    })),
  );

const factsOf = ({ webhookId, lastFour, expiresAt, revokedAt }: PathKey) => ({
  webhookId,
  lastFour,
  expiresAt,
  revokedAt,
});

/** Sets `changedAt` of the webhook to the database's time and returns it; null when no webhook matches. */
async function touchWebhook(webhooks: Webhooks, filter: object, session: Session) {
  const touched = await webhooks.findOneAndUpdate(filter, [{ $set: { changedAt: '$$NOW' } }], {
    session,
    returnDocument: 'after',
  });
  return touched && touched.changedAt;
}

/** Fails when the webhook does not exist or is archived. */
export function rotateKey(
  db: Db,
  given: NewKey,
  actor: Actor,
): Promise<Result<Rotation, Failure<'not_found' | 'archived'>>> {
  const { overlapMs, ...fields } = given;
  const { webhookId } = fields;
  const _id = newId();
  return inTransaction(db.connection, async (session) => {
    const now = await touchWebhook(
      webhooksOf(db.connection),
      { _id: webhookId, status: { $ne: 'archived' } },
      session,
    );
    if (!now) return missingOrArchived(webhooksOf(db.connection), webhookId, session);
    const before = await keysOf(db.connection)
      .find({ webhookId, ...validKeyConditions(now) }, { session })
      .toArray();
    const end = new Date(+now + (overlapMs ?? 0));
    const ended = overlapMs === null ? [] : before.map((key) => endedBy(end, key, overlapMs === 0));
    for (const { _id: id, expiresAt, revokedAt } of ended) {
      await keysOf(db.connection).updateOne(
        { _id: id },
        { $set: { expiresAt, revokedAt } },
        { session },
      );
    }
    await keysOf(db.connection).updateMany({ webhookId }, [{ $set: { usesBefore: '$uses' } }], {
      session,
    });
    const key: PathKey = { _id, ...fields, createdAt: now, ...newKey };
    await keysOf(db.connection).insertOne(key, { session });
    await addAuditRow(
      db,
      {
        actor,
        action: 'key.rotate',
        target: { type: 'key', id: _id },
        before: { webhookId, keys: before.map(listedFactsOf) },
        after: { ...factsOf(key), keys: ended.map(listedFactsOf) },
      },
      session,
    );
    const ends = ended.map((one) => +(one.revokedAt ?? one.expiresAt ?? end));
    const previousExpiresAt = ends.length === 0 ? null : new Date(Math.max(...ends));
    return success({ key, previousExpiresAt });
  });
}

/** Fails when the key does not exist or is revoked already. */
export function revokeKey(
  db: Db,
  { webhookId, id }: { readonly webhookId: string; readonly id: string },
  actor: Actor,
) {
  const open = { _id: id, webhookId, revokedAt: null };
  return changeAudited<PathKey>(db, {
    actor,
    action: 'key.revoke',
    target: { type: 'key', id },
    read: (session) => keysOf(db.connection).findOne(open, { session }),
    async write(session) {
      const now = await touchWebhook(webhooksOf(db.connection), { _id: webhookId }, session);
      const set = { $set: { revokedAt: now } };
      return (
        now &&
        keysOf(db.connection).findOneAndUpdate(open, set, { session, returnDocument: 'after' })
      );
    },
    factsOf,
  });
}

/**
 * Adds a key of another installation by its hash. Other keys stay as they are. `taken`: a key has this hash already, also a revoked
 * one, which thus never becomes valid again.
 */
export async function insertImportedKey(
  db: Db,
  given: ImportedKey,
  actor: Actor,
): Promise<Result<PathKey, Failure<'not_found' | 'archived' | 'taken'>>> {
  try {
    return await importKey(db, given, actor);
  } catch (error) {
    if (isDuplicateKey(error)) return failure('taken');
    throw error;
  }
}

const importKey = (db: Db, given: ImportedKey, actor: Actor) =>
  inTransaction(db.connection, async (session) => {
    const webhooks = webhooksOf(db.connection);
    const { webhookId } = given;
    const open = { _id: webhookId, status: { $ne: 'archived' } };
    const createdAt = await touchWebhook(webhooks, open, session);
    if (!createdAt) return missingOrArchived(webhooks, webhookId, session);
    const key: PathKey = { _id: newId(), ...given, createdAt, ...newKey };
    await keysOf(db.connection).insertOne(key, { session });
    const target = { type: 'key', id: key._id } as const;
    const after = factsOf(key);
    await addAuditRow(db, { actor, action: 'key.import', target, before: null, after }, session);
    return success(key);
  });

const listedFactsOf = ({ _id: id, lastFour, expiresAt, revokedAt }: PathKey) => ({
  id,
  lastFour,
  expiresAt,
  revokedAt,
});

/** Returns the key with its expiry at `end`. A key that expires sooner keeps its expiry. */
function endedBy(end: Date, key: PathKey, isRevoked: boolean): PathKey {
  if (isRevoked) return { ...key, revokedAt: end };
  return { ...key, expiresAt: key.expiresAt && key.expiresAt < end ? key.expiresAt : end };
}
