/**
 * Deletes what is past the retention of its webhook, in batches each minute.
 *
 * Promises: one process at a time; at most five seconds of work a minute, with pauses between batches; when a process dies,
 * another continues at the saved position. Statistics keep the counts of deleted events.
 * Must never: delete open or held events, or the dedup keys of events within their dedup window.
 */
import { sleep, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startTicker } from '../base/process/ticker.ts';
import { retentionMsOf } from '../domain/webhooks/retention.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import type { BatchResult, RetentionStore } from '../store/maintenance/retention.ts';

type RetentionDeps = {
  readonly retention: RetentionStore;
  readonly audit: Pick<AuditStore, 'deleteBefore'>;
  /** The default of webhooks without a setting of their own. */
  readonly retentionDays: number;
  /** For all audit rows, which are one chain. 0 keeps them for ever. */
  readonly auditRetentionDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 60_000;
const budgetMs = 5_000;
const pauseMs = 20;
const maxWebhooks = 100;
/** A batch deletes a thousand rows and blocks administrative changes for as long as it takes. */
const maxAuditBatches = 5;
const dayMs = 86_400_000;

const noneDeleted = { bodies: 0, resends: 0, events: 0, samples: 0, auditRows: 0 };

type RetainedWebhook = Pick<Webhook, '_id' | 'settings'>;

/** Has a budget of its own, because events may use up the five seconds each time. Returns the number of deleted rows. */
async function deleteAuditRows(
  { audit, auditRetentionDays, clock }: RetentionDeps,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  if (auditRetentionDays === 0) return count;
  const before = new Date(+clock.now() - auditRetentionDays * dayMs);
  for (let batch = 0; batch < maxAuditBatches && !signal.aborted; batch += 1) {
    const { forgotten, hasMore } = await audit.deleteBefore(before);
    count += forgotten;
    if (!hasMore) break;
    await sleep(pauseMs, signal);
  }
  return count;
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

export function startRetention(deps: RetentionDeps) {
  const { retention, retentionDays, clock, logger, intervalMs = defaultIntervalMs } = deps;
  const closing = new AbortController();
  const run = (batch: () => Promise<BatchResult>, isOver: () => boolean) =>
    runBatches(batch, isOver, closing.signal);
  const deleted = { ...noneDeleted };

  async function applyRetention(
    { _id, settings }: RetainedWebhook,
    isOver: () => boolean,
  ): Promise<void> {
    const now = +clock.now();
    const kept = retentionMsOf(settings, retentionDays);
    const before = (ms: number) => new Date(now - ms);
    /** Each batch starts where the last one ended, past events that something else still needs. */
    const batchesOf = (step: 'stripBodies' | 'deleteEvents', ms: number) => {
      let from = new Date(0);
      return async () => {
        const done = await retention[step](_id, before(ms), from);
        from = done.to;
        return done;
      };
    };
    deleted.bodies += await run(batchesOf('stripBodies', kept.bodies), isOver);
    deleted.resends += await run(
      () => retention.deleteResendBodies(_id, before(kept.bodies)),
      isOver,
    );
    deleted.events += await run(batchesOf('deleteEvents', kept.events), isOver);
    deleted.samples += await run(() => retention.deleteSamples(_id, before(kept.samples)), isOver);
  }

  /** The next turn begins with the webhook that this one did not finish. */
  async function turn(after: string): Promise<void> {
    const sinceMs = clock.elapsedMs();
    const isOver = () => closing.signal.aborted || clock.elapsedMs() - sinceMs >= budgetMs;
    const found = await retention.webhooksAfter(after, maxWebhooks);
    let last = after;
    for (const webhook of found) {
      await applyRetention(webhook, isOver);
      if (isOver()) break;
      last = webhook._id;
    }
    const isRound = last === found.at(-1)?._id && found.length < maxWebhooks;
    await retention.saveCursor(found.length === 0 || isRound ? '' : last);
  }

  async function tick(): Promise<number> {
    try {
      Object.assign(deleted, noneDeleted);
      const after = await retention.claimTurn(intervalMs / 2);
      if (after === null) return intervalMs;
      await turn(after);
      deleted.auditRows = await deleteAuditRows(deps, closing.signal);
      if (Object.values(deleted).some((count) => count > 0))
        logger.info({ ...deleted }, 'retention.deleted');
    } catch (err) {
      logger.warn({ err }, 'retention.failed');
    }
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
