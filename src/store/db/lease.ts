/**
 * Leases: a document belongs to the process that holds its token, until a time by the database's clock.
 *
 * Promises: of several processes that claim a document at once, one wins; a lease that nobody renews ends by itself; a
 * write under the token of a lease that another process has claimed since matches no document.
 * `$$NOW` is the only time source, so the clocks of the processes do not matter.
 */
import { majorityWrite, type Collection } from './connection.ts';
import { msFromNow } from './expressions.ts';

/** The paths of the fields that hold a lease. */
type LeaseFields = {
  /** When the lease ends. Null or absent: the document is free. */
  readonly until: string;
  readonly token: string;
};

/** The parts of queries and update pipelines that deal with a lease in these fields. */
export const leaseExpressions = ({ until, token }: LeaseFields) => ({
  /** For `$expr`: no lease is running. */
  isFree: { $lte: [`$${until}`, '$$NOW'] },
  /** For `$set` in a pipeline: the claimer holds the lease for `leaseMs` from now. */
  claimed: (claimer: string, leaseMs: number) => ({
    [token]: claimer,
    [until]: msFromNow(leaseMs),
  }),
  /** For `$set` in a pipeline: the lease begins again. */
  renewed: (leaseMs: number) => ({ [until]: msFromNow(leaseMs) }),
});

type LeaseOptions = LeaseFields & { readonly leaseMs: number };
/** A document and the token under which it was claimed. */
type Leased = { readonly _id: string; readonly token?: string | null };

/** The lease of single documents of a collection. */
export function createLease<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  options: LeaseOptions,
) {
  type Filter = Parameters<typeof collection.updateOne>[0];
  const { isFree, claimed, renewed } = leaseExpressions(options);
  const heldBy = ({ _id, token }: Leased) => ({ _id, [options.token]: token ?? '' }) as Filter;

  const free = (where: Readonly<Record<string, unknown>>) =>
    Object.assign({ $expr: isFree }, where) as Filter;

  return {
    /** For `$set` in a pipeline that also does other things: the lease begins again. */
    renewed: renewed(options.leaseMs),

    /** Claims the first document that matches and is free. Returns it as it is then; null when there is none. */
    claim: (
      where: Readonly<Record<string, unknown>>,
      { token, sort = {} }: { readonly token: string; readonly sort?: Record<string, 1 | -1> },
    ) =>
      collection.findOneAndUpdate(free(where), [{ $set: claimed(token, options.leaseMs) }], {
        sort,
        returnDocument: 'after',
        ...majorityWrite,
      }),

    /** Returns false when another process has claimed the document since. */
    async renew(leased: Leased): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        heldBy(leased),
        [{ $set: renewed(options.leaseMs) }],
        majorityWrite,
      );
      return matchedCount === 1;
    },

    /** Lets other processes claim the document from `until` on; without it, at once. */
    async release(leased: Leased, until = new Date(0)): Promise<void> {
      await collection.updateOne(
        heldBy(leased),
        [{ $set: { [options.until]: until } }],
        majorityWrite,
      );
    },
  };
}
