/**
 * Runs: replays, discards and resumes of many events, with their progress. Collection `runs`.
 *
 * Promises: a step belongs to the process that holds the lease, by the database's clock; a write under an older token matches
 * nothing. Creating and cancelling a run is written with its audit row.
 */
import type { StoreContext } from '../audit/store-context.ts';
import { derivedId, newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor, AuditAction, AuditEntry } from '../../domain/audit/audit.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
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
import type { IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead, majorityWrite } from '../db/connection.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { msFromNow, literal } from '../db/expressions.ts';
import { createLease } from '../db/lease.ts';
import type { BoundedCount } from '../event-queries/selection.ts';
import { anyOf, inTransaction, tieBreakDirection, mapStoreErrors } from '../db/model.ts';

const collection = 'runs';

export const runIndexes: readonly IndexSpec[] = [
  { collection, name: 'due', key: { open: 1, nextAt: 1 }, where: { open: true } },
  { collection, name: 'by_creation', key: { createdAt: -1, _id: -1 } },
  { collection, name: 'by_finish', key: { finishedAt: -1, _id: -1 } },
];

export type RunListFilter = {
  readonly kind?: readonly RunKind[];
  readonly state?: readonly RunState[];
  /** Only runs that name webhooks, and none but these. */
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

/** A step of a hundred events takes a tenth of a second; one that takes this long counts as abandoned. */
const turnMs = 30_000;

type Mine = Pick<RunRecord, '_id' | 'token'>;
type Runs = ReturnType<typeof collectionOf<RunRecord>>;

/** One for each webhook, so that there are never two that take its held events in turns. */
export const resumeRunId = (webhookId: string): string => derivedId('resume', webhookId);

const afresh = {
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

export type RunStore = ReturnType<typeof createRunStore>;

export function createRunStore(context: StoreContext) {
  const { connection } = context;
  const runs = collectionOf<RunRecord>(connection, collection);
  return mapStoreErrors({
    ...createOrders(context, runs),
    ...createResumes(runs),
    ...createTurns(runs),
    ...createProgress(runs),

    get: (id: string): Promise<RunRecord | null> => runs.findOne({ _id: id }, { ...majorityRead }),

    /** Read along the order, whatever it is filtered by: people order runs one by one. */
    async list({ kind, state, webhookId }: RunListFilter, page: Page): Promise<Paged<RunRecord>> {
      const isOther = webhookId && { $elemMatch: { $nin: [...webhookId] } };
      const conditions = {
        ...anyOf({ kind, state }),
        ...(isOther && { 'filter.webhookId': { $exists: true, $ne: [], $not: isOther } }),
      };
      const hint = 'finishedAt' in page.sort ? 'by_finish' : 'by_creation';
      const [results, total] = await Promise.all([
        runs
          .find(conditions, {
            projection: { step: 0, 'filter.ids': 0 },
            sort: { ...page.sort, _id: tieBreakDirection(page.sort) },
            skip: page.skip,
            limit: page.limit,
            hint,
          })
          .toArray(),
        runs.countDocuments(conditions, { hint }),
      ]);
      return { results, total };
    },
  });
}

/** Runs, as people order and stop them. */
function createOrders(context: StoreContext, runs: Runs) {
  const { connection, audit } = context;
  const noteOf = (
    action: AuditAction,
    actor: Actor,
    run: RunRecord,
  ): Omit<AuditEntry, 'before' | 'after'> => ({
    actor,
    action,
    target: { type: 'run', id: run._id },
  });

  return {
    create(given: NewRun, actor: Actor): Promise<RunRecord> {
      const _id = newId();
      const { tokenId, name } = actor;
      return inTransaction(connection, async (session) => {
        const run = await runs.findOneAndUpdate(
          { _id },
          {
            $setOnInsert: {
              ...afresh,
              ...given,
              step: null,
              createdBy: { tokenId, name },
            },
            $currentDate: now,
          },
          { session, upsert: true, returnDocument: 'after' },
        );
        if (!run) throw new Error('The run that was just made is gone.');
        await audit.add(
          { ...noteOf(`${given.kind}.create`, actor, run), before: null, after: factsOf(run) },
          session,
        );
        return run;
      });
    },

    /** Fails when no open run of a kind that people order has this id. The current step is finished and counted. */
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
        const facts = { before: factsOf(before), after: factsOf(after) };
        await audit.add({ ...noteOf(`${after.kind}.cancel`, actor, after), ...facts }, session);
        return success(after);
      });
    },
  };
}

/** Runs that release held events, started by a person or by the recovery sweep. */
function createResumes(runs: Runs) {
  return {
    /** Those of the webhooks whose held events are being let through. */
    async listResuming(webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await runs
        .find(
          { _id: { $in: webhookIds.map(resumeRunId) }, open: true },
          { projection: { filter: 1 }, ...majorityRead },
        )
        .toArray();
      return new Set(found.flatMap(({ filter }) => filter.webhookId ?? []));
    },

    /** Begins to let a webhook's held events through, unless that is under way. A step left behind is kept. */
    async ensureResume(
      webhookId: string,
      { held, by }: { held: BoundedCount; by: Actor },
    ): Promise<void> {
      const { tokenId, name } = by;
      const filter = { webhookId: [webhookId] };
      const set = {
        ...afresh,
        filter,
        kind: 'resume',
        remap: false,
        perSecond: resumePerSecond,
        total: held.count,
        totalExact: held.exact,
      } as const;
      try {
        await runs.updateOne(
          { _id: resumeRunId(webhookId), open: { $exists: false } },
          {
            $set: { ...set, createdBy: { tokenId, name } },
            $setOnInsert: { step: null },
            $currentDate: now,
          },
          { upsert: true, ...majorityWrite },
        );
      } catch (error) {
        // It is there, and running.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}

/** Whose turn it is, and for how long. */
function createTurns(runs: Runs) {
  const lease = createLease(runs, { until: 'nextAt', token: 'token', leaseMs: turnMs });
  return {
    /** The running one whose turn comes first, and in how many milliseconds; null when none is running. */
    async next(): Promise<{ id: string; waitMs: number } | null> {
      const [run] = await runs
        .find(
          { open: true },
          {
            projection: { waitMs: { $subtract: ['$nextAt', '$$NOW'] } },
            sort: { nextAt: 1 },
            limit: 1,
          },
        )
        .toArray();
      return run ? { id: run._id, waitMs: Number((run as { waitMs?: unknown }).waitMs) } : null;
    },

    /** Null if another process has the step, or the run has ended. */
    claim(id: string, token: string): Promise<RunRecord | null> {
      return lease.claim({ _id: id, open: true }, { token });
    },

    /** Prolongs the turn. False when it is not ours any more: then nothing may be done. */
    renew: (run: Mine): Promise<boolean> => lease.renew(run),
  };
}

/** What a process does with the run whose turn it is. */
function createProgress(runs: Runs) {
  return {
    /** Writes down what the step is to do. False when it is not ours any more: then nothing may be done. */
    async saveStep({ _id, token }: Mine, step: RunStep): Promise<boolean> {
      const { matchedCount } = await runs.updateOne(
        { _id, token, open: true },
        { $set: { step } },
        majorityWrite,
      );
      return matchedCount > 0;
    },

    /** The step is done: counts it, and says when the next is due. */
    async advance({ _id, token }: Mine, given: RunProgress): Promise<void> {
      const { step, cursor, replayed = 0, skipped = 0, pauseMs } = given;
      await runs.updateOne(
        { _id, token },
        [
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
        ],
        majorityWrite,
      );
    },

    /** The step came to nothing. It is done again after a while, until that was so too often in a row. */
    async fail({ _id, token }: Mine, reason: RunFailure): Promise<void> {
      const failures = { $add: ['$failures', 1] };
      const unlessLast = (value: unknown, last: unknown) => ({
        $cond: [{ $gte: [failures, maxRunFailures] }, last, value],
      });
      await runs.updateOne(
        { _id, token, open: true },
        [
          {
            $set: {
              failures,
              reason,
              state: unlessLast('$state', 'failed'),
              finishedAt: unlessLast(null, '$$NOW'),
              open: unlessLast(true, '$$REMOVE'),
              nextAt: msFromNow(turnMs),
              token: null,
            },
          },
        ],
        majorityWrite,
      );
    },

    async end({ _id, token }: Mine, state: 'done' | 'cancelled'): Promise<void> {
      await runs.updateOne(
        { _id, token, open: true },
        [{ $set: { state, finishedAt: '$$NOW', open: '$$REMOVE', token: null } }],
        majorityWrite,
      );
    },
  };
}
