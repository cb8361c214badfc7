/**
 * Runs: replays, discards and resumes of many events, with their progress. Collection `runs`.
 *
 * Promises: a step belongs to the process that holds the lease, by the database's clock; a write under an older token matches
 * nothing. Creating and cancelling a run is written with its audit row.
 */
import { derivedId, newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Page } from '../../domain/pagination.ts';
import {
  resumePerSecond,
  maxRunFailures,
  userRunKinds,
  type UserRunKind,
  type RunCursor,
  type RunFailure,
  type RunKind,
  type RunRecord,
  type RunState,
  type RunStep,
} from '../../domain/events/run.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, inTransaction, type Db } from '../db/connection.ts';
import { ignoreDuplicate } from '../db/errors.ts';
import { anyOf, literal, msFromNow, readPage, readable } from '../db/queries.ts';
import { createLease } from '../db/lease.ts';
import type { BoundedCount } from '../events/selection.ts';
import { addAuditRow } from '../audit/audit.ts';

const collection = 'runs';

export const runIndexes = indexesOf(collection, {
  due: { key: { open: 1, nextAt: 1 }, where: { open: true } },
  by_creation: { key: { createdAt: -1, _id: -1 } },
  by_finish: { key: { finishedAt: -1, _id: -1 } },
});

type RunListFilter = {
  readonly kind?: readonly RunKind[];
  readonly state?: readonly RunState[];
  /** Only runs whose filter names webhooks, all of which are in this list. */
  readonly webhookId?: readonly string[];
};

type NewRun = Pick<RunRecord, 'filter' | 'remap' | 'perSecond' | 'total' | 'totalExact'> & {
  readonly kind: UserRunKind;
};

type RunProgress = {
  readonly step: RunStep | null;
  readonly cursor?: RunCursor | null;
  readonly replayed?: number;
  readonly skipped?: number;
  readonly pauseMs: number;
};

/** Lease of a step. A step of 100 events takes about 100 ms. A step whose lease ends counts as abandoned. */
const runLeaseMs = 30_000;

type ClaimedRun = Pick<RunRecord, '_id' | 'token'>;
type Runs = ReturnType<typeof collectionOf<RunRecord>>;

/** Returns the id of the webhook's resume run. It is derived, so that a webhook has at most one open resume run. */
export const resumeRunId = (webhookId: string): string => derivedId('resume', webhookId);

const initialState = {
  state: 'running',
  open: true,
  replayed: 0,
  skipped: 0,
  cursor: null,
  failures: 0,
  reason: null,
  token: null,
  finishedAt: null,
} as const;
const now = { createdAt: true, nextAt: true } as const;

const factsOf = ({ state, filter, remap, perSecond, total, replayed }: RunRecord) => ({
  state,
  filter,
  remap,
  perSecond,
  total,
  replayed,
});

export function createRunStore(context: Db) {
  const { connection } = context;
  const runs = collectionOf<RunRecord>(connection, collection);
  return {
    ...createUserRuns(context, runs),
    ...createResumes(runs),
    ...createLeases(runs),
    ...createProgress(runs),

    get: (id: string): Promise<RunRecord | null> => runs.findOne({ _id: id }),

    /** Lists runs by the index of the order for every filter, because users create runs one by one. */
    list(this: void, { kind, state, webhookId }: RunListFilter, page: Page) {
      const isOther = webhookId && { $elemMatch: { $nin: [...webhookId] } };
      const conditions = {
        ...anyOf({ kind, state }),
        ...(isOther && { 'filter.webhookId': { $exists: true, $ne: [], $not: isOther } }),
      };
      const hint = 'finishedAt' in page.sort ? 'by_finish' : 'by_creation';
      return readPage(runs, conditions, {
        ...page,
        hint,
        projection: { step: 0, 'filter.ids': 0 },
      });
    },
  };
}

function createUserRuns(context: Db, runs: Runs) {
  const { connection } = context;
  const targetOf = ({ _id: id }: RunRecord) => ({ type: 'run', id }) as const;

  return {
    create(given: NewRun, actor: Actor): Promise<RunRecord> {
      const _id = newId();
      const { tokenId, name } = actor;
      return inTransaction(connection, async (session) => {
        const run = await runs.findOneAndUpdate(
          { _id },
          {
            $setOnInsert: {
              ...initialState,
              ...given,
              step: null,
              createdBy: { tokenId, name },
            },
            $currentDate: now,
          },
          { session, upsert: true, returnDocument: 'after' },
        );
        if (!run) throw new Error('The run that was just made is gone.');
        const entry = { actor, action: `${given.kind}.create`, target: targetOf(run) } as const;
        await addAuditRow(context, { ...entry, after: factsOf(run) }, session);
        return run;
      });
    },

    /** Fails when no open run that a user may cancel has this id. The current step is finished and counted. */
    cancel(id: string, actor: Actor): Promise<Result<RunRecord, Failure<'not_cancellable'>>> {
      return inTransaction(connection, async (session) => {
        const filter = { _id: id, kind: { $in: [...userRunKinds] }, open: true } as const;
        const before = await runs.findOne(filter, { session });
        const after = await runs.findOneAndUpdate(
          filter,
          [{ $set: { state: 'cancelled', finishedAt: '$$NOW', open: '$$REMOVE' } }],
          { session, returnDocument: 'after' },
        );
        if (!before || !after || after.kind === 'resume') return failure('not_cancellable');
        const entry = { actor, action: `${after.kind}.cancel`, target: targetOf(after) } as const;
        await addAuditRow(
          context,
          { ...entry, before: factsOf(before), after: factsOf(after) },
          session,
        );
        return success(after);
      });
    },
  };
}

/** Runs that release held events. A user or the recovery sweep starts them. */
function createResumes(runs: Runs) {
  return {
    async listResuming(webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await runs
        .find(
          { _id: { $in: webhookIds.map(resumeRunId) }, open: true },
          { projection: { filter: 1 } },
        )
        .toArray();
      return new Set(found.flatMap(({ filter }) => filter.webhookId ?? []));
    },

    /** Starts the webhook's resume run unless it is open. An unfinished step of the previous run is kept. */
    async ensureResume(webhookId: string, { held, by }: { held: BoundedCount; by: Actor }) {
      const { tokenId, name } = by;
      const filter = { webhookId: [webhookId] };
      const set = {
        ...initialState,
        filter,
        kind: 'resume',
        remap: false,
        perSecond: resumePerSecond,
        total: held.count,
        totalExact: held.exact,
      } as const;
      const update = {
        $set: { ...set, createdBy: { tokenId, name } },
        $setOnInsert: { step: null },
        $currentDate: now,
      } as const;
      // A duplicate: the run exists and is open.
      await runs
        .updateOne({ _id: resumeRunId(webhookId), open: { $exists: false } }, update, {
          upsert: true,
        })
        .catch(ignoreDuplicate);
    },
  };
}

function createLeases(runs: Runs) {
  const lease = createLease(runs, { until: 'nextAt', token: 'token', leaseMs: runLeaseMs });
  return {
    /** Returns the open run that is due first and the milliseconds until then; null when no run is open. */
    async next(): Promise<{ id: string; waitMs: number } | null> {
      const [run] = await runs
        .find(
          { open: true, ...readable },
          {
            projection: { waitMs: { $subtract: ['$nextAt', '$$NOW'] } },
            sort: { nextAt: 1 },
            limit: 1,
          },
        )
        .toArray();
      return run ? { id: run._id, waitMs: Number((run as { waitMs?: unknown }).waitMs) } : null;
    },

    /** Returns the claimed run; null when another process holds the lease or the run has ended. */
    claim(id: string, token: string): Promise<RunRecord | null> {
      return lease.claim({ _id: id, open: true, ...readable }, { token });
    },

    /** Extends the lease. Returns false when the lease is lost: the caller must stop. */
    renew: (run: ClaimedRun): Promise<boolean> => lease.renew(run),
  };
}

/** Progress of a claimed run. A write without the current token changes nothing. */
function createProgress(runs: Runs) {
  return {
    /** Stores the plan of the step before its work. Returns false when the lease is lost: the caller must stop. */
    async saveStep({ _id, token }: ClaimedRun, step: RunStep): Promise<boolean> {
      const { matchedCount } = await runs.updateOne({ _id, token, open: true }, { $set: { step } });
      return matchedCount > 0;
    },

    /** Adds the counts of a finished step and sets when the next step is due. */
    async advance({ _id, token }: ClaimedRun, given: RunProgress): Promise<void> {
      const { step, cursor, replayed = 0, skipped = 0, pauseMs } = given;
      await runs.updateOne({ _id, token }, [
        {
          $set: {
            step: literal(step),
            ...(cursor && { cursor: literal(cursor) }),
            replayed: { $add: ['$replayed', replayed] },
            skipped: { $add: ['$skipped', skipped] },
            failures: 0,
            reason: null,
            nextAt: msFromNow(pauseMs),
            token: null,
          },
        },
      ]);
    },

    /** Records a failed step. The step is retried after the lease time; after `maxRunFailures` in a row the run fails. */
    async fail({ _id, token }: ClaimedRun, reason: RunFailure): Promise<void> {
      const failures = { $add: ['$failures', 1] };
      const unlessLast = (value: unknown, last: unknown) => ({
        $cond: [{ $gte: [failures, maxRunFailures] }, last, value],
      });
      await runs.updateOne({ _id, token, open: true }, [
        {
          $set: {
            failures,
            reason,
            state: unlessLast('$state', 'failed'),
            finishedAt: unlessLast(null, '$$NOW'),
            open: unlessLast(true, '$$REMOVE'),
            nextAt: msFromNow(runLeaseMs),
            token: null,
          },
        },
      ]);
    },

    async end({ _id, token }: ClaimedRun, state: 'done' | 'cancelled'): Promise<void> {
      await runs.updateOne({ _id, token, open: true }, [
        { $set: { state, finishedAt: '$$NOW', open: '$$REMOVE', token: null } },
      ]);
    },
  };
}
