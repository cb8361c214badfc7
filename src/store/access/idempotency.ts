/**
 * Responses of the administration API by Idempotency-Key. Collection `idempotency`.
 *
 * Promises: of concurrent requests with one key, one holds the lease. A stored response stays unchanged for 24 h. All
 * times are the database's.
 * Must never: hold a key, a token, or a response in plain text.
 */
import type { IdempotencyRecord } from '../../domain/access/idempotency.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { retryAfterDuplicate } from '../db/errors.ts';
import { exists, msFromNow } from '../db/queries.ts';
import { leaseExpressions } from '../db/lease.ts';

const name = 'idempotency';

export const idempotencyIndexes = indexesOf(name, {
  ends: { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
});

/** Renewed while the change is in progress: an expired lease means that its process has died. */
const leaseMs = 60_000;
const keptMs = 24 * 3_600_000;

type IdempotencyClaim = {
  readonly id: string;
  /** Hash of the request. */
  readonly fingerprint: string;
  /** Random id of the claimer, new for each attempt. */
  readonly owner: string;
};

const lease = leaseExpressions({ until: 'leaseUntil', token: 'owner' });
const isMissing = (field: string) => ({ $eq: [{ $type: field }, 'missing'] });
const isPast = (field: string) => ({ $lte: [field, '$$NOW'] });

/** Matches a key that was never claimed, has expired, or is claimed for the same request under a lease that has ended. */
const isFree = ({ fingerprint }: IdempotencyClaim) => ({
  $or: [
    isMissing('$owner'),
    isPast('$expiresAt'),
    {
      $and: [isMissing('$answer'), lease.isFree, { $eq: ['$fingerprint', fingerprint] }],
    },
  ],
});

/** Within one stage every expression reads the document as it was before the stage. */
function claiming(claim: IdempotencyClaim) {
  const free = isFree(claim);
  const claimed = lease.claimed(claim.owner, leaseMs);
  const ifFree = (value: unknown, field: string) => ({ $cond: [free, value, field] });
  return {
    owner: ifFree(claimed.owner, '$owner'),
    fingerprint: ifFree(claim.fingerprint, '$fingerprint'),
    leaseUntil: ifFree(claimed.leaseUntil, '$leaseUntil'),
    expiresAt: ifFree(msFromNow(keptMs), '$expiresAt'),
    answer: ifFree('$$REMOVE', '$answer'),
  };
}

const attemptsOf = (db: Db) => collectionOf<IdempotencyRecord>(db.connection, name);

export const isAttemptAnswered = (db: Db, _id: string): Promise<boolean> =>
  exists(attemptsOf(db), {
    _id,
    answer: { $exists: true },
    $expr: { $gt: ['$expiresAt', '$$NOW'] },
  });

/** Returns the record after the claim: claimed by the caller, leased by another request, or with a response. */
export async function claimAttempt(db: Db, wanted: IdempotencyClaim): Promise<IdempotencyRecord> {
  const options = { upsert: true, returnDocument: 'after' } as const;
  const claimed = await retryAfterDuplicate(() =>
    attemptsOf(db).findOneAndUpdate({ _id: wanted.id }, [{ $set: claiming(wanted) }], options),
  );
  if (!claimed) throw new Error('An upsert that gives back nothing.');
  return claimed;
}

export async function renewAttempt(db: Db, { id, owner }: IdempotencyClaim): Promise<void> {
  await attemptsOf(db).updateOne({ _id: id, owner, answer: { $exists: false } }, [
    { $set: { leaseUntil: msFromNow(leaseMs) } },
  ]);
}

/** Stores the response. Returns false when another request has claimed the key since. */
export async function saveAttemptAnswer(
  db: Db,
  { id, owner }: IdempotencyClaim,
  answer: Buffer,
): Promise<boolean> {
  const { matchedCount } = await attemptsOf(db).updateOne({ _id: id, owner }, { $set: { answer } });
  return matchedCount === 1;
}

/** Frees the key when the request had no effect. */
export async function releaseAttempt(db: Db, { id, owner }: IdempotencyClaim): Promise<void> {
  await attemptsOf(db).deleteOne({ _id: id, owner, answer: { $exists: false } });
}
