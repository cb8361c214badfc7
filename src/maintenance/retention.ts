/**
 * Deletes what is past the retention of its webhook.
 *
 * Promises: the processes share the webhooks, each of which one process visits at a time; a visit takes a few seconds at most,
 * and what is left waits behind the other webhooks that are due; there are pauses between batches; a webhook whose visit
 * fails does not stop the others. Statistics keep the counts of deleted events.
 * Must never: delete open or held events, or the dedup keys of events within their dedup window.
 */
import { sleep } from '../base/clock.ts';
import { retentionKinds } from '../base/observability/processing-metrics.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { ProcessContext } from '../context/process-context.ts';
import { retentionMsOf } from '../domain/webhooks/retention.ts';
import { deleteAuditRowsBefore } from '../store/audit/audit.ts';
import { deleteUnusedFiles } from '../store/chats/files.ts';
import type { BatchResult } from '../store/maintenance/retention.ts';
import type { BodyPass, RetentionVisit } from '../store/maintenance/retention-visits.ts';

export type RetentionOptions = {
  /** The default of webhooks without a setting of their own. */
  readonly retentionDays: number;
  /** 0 keeps audit rows for ever. */
  readonly auditRetentionDays: number;
  readonly intervalMs?: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The longest visit, give or take a batch. */
const maxVisitMs = 5_000;
const pauseMs = 20;
/** The time until the next visit of a webhook, by the result of this one. */
const nextVisitMs = {
  unfinished: 0,
  deleted: 10 * minuteMs,
  idle: 6 * hourMs,
  failed: 10 * minuteMs,
};
const installationMs = 10 * minuteMs;
const logEveryMs = minuteMs;

type Deleted = Record<(typeof retentionKinds)[number], number>;
const noneDeleted = Object.fromEntries(retentionKinds.map((kind) => [kind, 0])) as Deleted;

export function startRetention(ctx: ProcessContext, options: RetentionOptions) {
  const { retention, labels, sectors, clock, logger, metrics } = ctx;
  const { retentionDays, auditRetentionDays, intervalMs = minuteMs } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const deleted = { ...noneDeleted };
  let isPrepared = false;
  let loggedMs = clock.elapsedMs();

  function logDeleted(): void {
    loggedMs = clock.elapsedMs();
    if (Object.values(deleted).every((count) => count === 0)) return;
    logger.info({ ...deleted }, 'retention.deleted');
    for (const kind of retentionKinds) metrics.retentionDeleted.inc({ kind }, deleted[kind]);
    Object.assign(deleted, noneDeleted);
  }

  /** Resolves to the time until the next visit, in milliseconds. */
  async function visit(claimed: RetentionVisit): Promise<number> {
    const { _id, webhook } = claimed;
    try {
      if (webhook)
        return await applyRetention(ctx, { ...claimed, webhook, retentionDays, deleted, signal });
      await retention.addWebhooks();
      deleted.files += await deleteUnusedFiles(ctx);
      for (const names of [labels, sectors]) await names.replaceDeleted();
      deleted.auditRows += await deleteAuditRows(ctx, auditRetentionDays, signal);
      return installationMs;
    } catch (err) {
      logger.warn({ err, ...(webhook && { webhookId: _id }) }, 'retention.failed');
      return nextVisitMs.failed;
    }
  }

  /** Visits until nothing is due. */
  async function tick(): Promise<number> {
    try {
      if (!isPrepared) await retention.prepare();
      isPrepared = true;
      while (!signal.aborted) {
        const claimed = await retention.claim();
        if (!claimed) break;
        await retention.release(claimed, await visit(claimed));
        if (clock.elapsedMs() - loggedMs >= logEveryMs) logDeleted();
      }
    } catch (err) {
      logger.warn({ err }, 'retention.failed');
    }
    logDeleted();
    return intervalMs;
  }

  const ticker = startTicker(tick, { firstMs: intervalMs });
  return {
    tick,
    close: () => {
      closing.abort();
      return ticker.close();
    },
  };
}

type WebhookVisit = RetentionVisit & {
  readonly webhook: NonNullable<RetentionVisit['webhook']>;
  readonly retentionDays: number;
  /** Counts are added to it. */
  readonly deleted: Deleted;
  readonly signal: AbortSignal;
};

/** Deletes what has expired of one webhook. Resolves to the time until its next visit, in milliseconds. */
async function applyRetention(
  { retention, clock }: ProcessContext,
  visit: WebhookVisit,
): Promise<number> {
  const { _id, webhook, retentionDays, deleted, signal } = visit;
  const sinceMs = clock.elapsedMs();
  const isOver = () => signal.aborted || clock.elapsedMs() - sinceMs >= maxVisitMs;
  const now = +clock.now();
  const kept = retentionMsOf(webhook.settings, retentionDays);
  const before = (ms: number) => new Date(now - ms);
  let pass = nextBodyPass(visit.bodies, clock.now());
  let from = '';
  const batches = {
    bodies: async () => {
      const done = await retention.stripBodies(_id, { before: before(kept.bodies), from: pass.to });
      pass = { ...pass, to: done.to, isComplete: pass.isComplete || !done.isMore };
      return done;
    },
    resends: () => retention.deleteResendBodies(_id, before(kept.bodies)),
    /** Each batch starts where the last one ended, past events that something else still needs. */
    events: async () => {
      const done = await retention.deleteEvents(_id, { before: before(kept.events), from });
      from = done.to;
      return done;
    },
    samples: () => retention.deleteSamples(_id, before(kept.samples)),
    rejections: () => retention.deleteRejections(_id, before(kept.samples)),
  };
  let isAny = false;
  for (const kind of ['bodies', 'resends', 'events', 'samples', 'rejections'] as const) {
    const count = await runBatches(batches[kind], isOver, signal);
    deleted[kind] += count;
    isAny ||= count > 0;
    if (kind === 'bodies') await retention.saveBodyPass(visit, pass);
    if (isOver()) return nextVisitMs.unfinished;
  }
  return isAny ? nextVisitMs.deleted : nextVisitMs.idle;
}

/** The pass to go on with. A new one begins at most once a day, because it reads all events of the webhook. */
function nextBodyPass(last: BodyPass | undefined, now: Date): BodyPass {
  if (last && !(last.isComplete && +now - +last.startedAt >= dayMs)) return last;
  return { startedAt: now, to: '', isComplete: false };
}

/** Repeats the batch until nothing is left or the time is over. Returns the number of changed documents. */
async function runBatches(
  batch: () => Promise<BatchResult>,
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let isMore = true; isMore && !isOver();) {
    const done = await batch();
    count += done.count;
    isMore = done.isMore;
    if (isMore) await sleep(pauseMs, signal);
  }
  return count;
}

/** Returns the number of deleted rows. */
function deleteAuditRows(
  ctx: ProcessContext,
  keptDays: number,
  signal: AbortSignal,
): Promise<number> {
  if (keptDays === 0) return Promise.resolve(0);
  const sinceMs = ctx.clock.elapsedMs();
  const isOver = () => signal.aborted || ctx.clock.elapsedMs() - sinceMs >= maxVisitMs;
  const before = new Date(+ctx.clock.now() - keptDays * dayMs);
  return runBatches(() => deleteAuditRowsBefore(ctx, before), isOver, signal);
}
