/**
 * Leases: a process holds a document under a token until a time by the database's clock.
 *
 * Promises: when several processes claim a document at once, only one gets it; a lease that is not renewed expires; a write
 * under the token of a lost lease matches no document.
 * `$$NOW` is the only time source, so the clocks of the processes do not matter.
 */
import type { Collection } from './connection.ts';
import { msFromNow } from './queries.ts';

/** The paths of the fields that hold a lease. */
type LeaseFields = {
  /** The field with the end of the lease. The document is free when the field is null or absent. */
  readonly until: string;
  readonly token: string;
};

/** Returns the parts of queries and update pipelines for a lease in these fields. */
export const leaseExpressions = ({ until, token }: LeaseFields) => ({
  /** For `$expr`: no lease is running. */
  isFree: { $lte: [`$${until}`, '$$NOW'] },
  /** For `$set` in a pipeline: the claimer holds the lease for `leaseMs` from now. */
  claimed: (claimer: string, leaseMs: number) => ({
    [token]: claimer,
    [until]: msFromNow(leaseMs),
  }),
  /** For `$set` in a pipeline: the lease ends `leaseMs` from now. */
  renewed: (leaseMs: number) => ({ [until]: msFromNow(leaseMs) }),
});

type LeaseOptions = LeaseFields & { readonly leaseMs: number };
/** A document and the token under which it was claimed. */
type Leased = { readonly _id: string; readonly token?: string | null };

/** Returns functions that claim, renew and release single documents of a collection. */
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
    /** For `$set` in a pipeline with further changes: renews the lease. */
    renewed: renewed(options.leaseMs),

    /** Claims the first free document that matches. Returns the document after the claim, or null when there is none. */
    claim: (
      where: Readonly<Record<string, unknown>>,
      { token, sort = {} }: { readonly token: string; readonly sort?: Record<string, 1 | -1> },
    ) =>
      collection.findOneAndUpdate(free(where), [{ $set: claimed(token, options.leaseMs) }], {
        sort,
        returnDocument: 'after',
      }),

    /** Renews the lease. Returns false when another process has claimed the document. */
    async renew(leased: Leased): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(heldBy(leased), [
        { $set: renewed(options.leaseMs) },
      ]);
      return matchedCount === 1;
    },

    /** Ends the lease at `until`. Without `until` the document is free at once. */
    async release(leased: Leased, until = new Date(0)): Promise<void> {
      await collection.updateOne(heldBy(leased), [{ $set: { [options.until]: until } }]);
    },
  };
}
