/**
 * What was answered to whom repeats a request under the same Idempotency-Key.
 *
 * Promises: of all who come with one key at once, one has it in hand, until its lease ends; an answer that is kept stays as
 * it is, for a day. Time is the database's.
 * Must never: hold a key, a token, or an answer in clear.
 */
import type { IdempotencyRecord } from '../../domain/access/idempotency.ts';
import { collectionOf, majorityRead, majorityWrite } from '../db/connection.ts';
import type { Connection, IndexSpec } from '../db/connection.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { msFromNow } from '../db/expressions.ts';
import { leaseExpressions } from '../db/lease.ts';
import { mapStoreErrors } from '../db/model.ts';

const name = 'idempotency';

export const idempotencyIndexes: readonly IndexSpec[] = [
  { collection: name, name: 'ends', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
];

/** More than any change takes; what is still in hand then was in the hands of a process that died. */
const leaseMs = 60_000;
const keptMs = 24 * 3_600_000;

export type IdempotencyClaim = {
  readonly id: string;
  /** Of what is asked for. */
  readonly fingerprint: string;
  /** Whoever claims, new at each attempt. */
  readonly owner: string;
};

const lease = leaseExpressions({ until: 'leaseUntil', token: 'owner' });
const isMissing = (field: string) => ({ $eq: [{ $type: field }, 'missing'] });
const isPast = (field: string) => ({ $lte: [field, '$$NOW'] });

/** Free: never claimed, over, or left in hand by somebody who asked for the same and is gone. */
const isFree = ({ fingerprint }: IdempotencyClaim) => ({
  $or: [
    isMissing('$owner'),
    isPast('$expiresAt'),
    {
      $and: [isMissing('$answer'), lease.isFree, { $eq: ['$fingerprint', fingerprint] }],
    },
  ],
});

/** Inside one stage every expression sees the document as it was before it. */
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

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(connection: Connection) {
  const attempts = collectionOf<IdempotencyRecord>(connection, name);

  async function claim(wanted: IdempotencyClaim): Promise<IdempotencyRecord> {
    const options = { upsert: true, returnDocument: 'after', ...majorityWrite } as const;
    const ask = () =>
      attempts.findOneAndUpdate({ _id: wanted.id }, [{ $set: claiming(wanted) }], options);
    // Two first ones at once: the second of them then meets the first.
    const claimed = await ask().catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      return ask();
    });
    if (!claimed) throw new Error('An upsert that gives back nothing.');
    return claimed;
  }

  return mapStoreErrors({
    /** Whether there is an answer that is kept. */
    isAnswered: async (id: string): Promise<boolean> => {
      const where = {
        _id: id,
        answer: { $exists: true },
        $expr: { $gt: ['$expiresAt', '$$NOW'] },
      };
      return (await attempts.findOne(where, { projection: { _id: 1 }, ...majorityRead })) !== null;
    },

    /** The attempt as it is now: the claimer's own, somebody else's in hand, or one with its answer. */
    claim,

    /** False when the claim no longer stands: its lease has ended, and somebody else came. */
    async saveAnswer({ id, owner }: IdempotencyClaim, answer: Buffer): Promise<boolean> {
      const { matchedCount } = await attempts.updateOne(
        { _id: id, owner },
        { $set: { answer } },
        majorityWrite,
      );
      return matchedCount === 1;
    },

    /** Nothing came of it: whoever asks again begins anew. */
    async release({ id, owner }: IdempotencyClaim): Promise<void> {
      await attempts.deleteOne({ _id: id, owner, answer: { $exists: false } }, majorityWrite);
    },
  });
}
