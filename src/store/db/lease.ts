/**
 * Leases: a process holds a document under a token until a time by the database's clock.
 *
 * Promises: when several processes claim a document at once, only one gets it; a lease that is not renewed expires; a write
 * under the token of a lost lease matches no document.
 * `$$NOW` is the only time source, so the clocks of the processes do not matter.
 */
import { collectionOf, type Collection } from './collection.ts';
import type { Connection } from './connection.ts';
import { ignoreDuplicate } from './errors.ts';
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
type Leased = { readonly _id: string; readonly token?: string | null };

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

type Lock = { _id: string; token: string | null; until: Date };

/** Returns a lease on a document of the collection `locks`, and `prepare`, which creates the document. */
export function createLock(connection: Connection, _id: string, leaseMs: number) {
  const locks = collectionOf<Lock>(connection, 'locks');
  const lease = createLease(locks, { until: 'until', token: 'token', leaseMs });
  return {
    async prepare(): Promise<void> {
      const first = { $setOnInsert: { token: null, until: new Date(0) } };
      await locks.updateOne({ _id }, first, { upsert: true }).catch(ignoreDuplicate);
    },
    claim: async (token: string): Promise<boolean> =>
      (await lease.claim({ _id }, { token })) !== null,
    renew: (token: string) => lease.renew({ _id, token }),
    release: (token: string) => lease.release({ _id, token }),
  };
}
