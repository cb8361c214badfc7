/**
 * Forgets what webhooks no longer keep, a little each minute.
 *
 * Promises: one process of all at a time, five seconds of work a minute at most, in batches with a pause between them; it goes on
 * where it stood, whoever died. What was counted of events stays in the counts.
 * Must never: touch what is open, held, or still has to be known by its event id.
 */
import { sleep, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startTicker } from '../base/process/ticker.ts';
import { retentionMsOf } from '../domain/webhooks/retention.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import type { BatchResult, RetentionStore } from '../store/maintenance/retention.ts';

export type RetentionDeps = {
  readonly retention: RetentionStore;
  readonly audit: Pick<AuditStore, 'deleteBefore'>;
  /** Where a webhook does not say how long. */
  readonly retentionDays: number;
  /** Of the whole installation, whose audit rows are one chain; 0: for ever. */
  readonly auditRetentionDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 60_000;
const budgetMs = 5_000;
const pauseMs = 20;
const maxWebhooks = 100;
/** Each keeps changes by people waiting for as long as it takes, and takes a thousand rows. */
const maxAuditBatches = 5;
const dayMs = 86_400_000;

const nothing = { bodies: 0, resends: 0, events: 0, samples: 0, auditRows: 0 };

type Kept = Pick<Webhook, '_id' | 'settings'>;

/** Beside the five seconds, which a large collection may use up each time. Returns how many rows went. */
async function forgetAudit(
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

export function startRetention(deps: RetentionDeps) {
  const { retention, retentionDays, clock, logger, intervalMs = defaultIntervalMs } = deps;
  const closing = new AbortController();
  const forgot = { ...nothing };

  async function whole(step: () => Promise<BatchResult>, isOver: () => boolean): Promise<number> {
    let count = 0;
    for (let isMore = true; isMore && !isOver();) {
      const done = await step();
      count += done.count;
      isMore = done.isMore;
      if (isMore) await sleep(pauseMs, closing.signal);
    }
    return count;
  }

  async function forget({ _id, settings }: Kept, isOver: () => boolean): Promise<void> {
    const now = +clock.now();
    const kept = retentionMsOf(settings, retentionDays);
    const before = (ms: number) => new Date(now - ms);
    /** What stays because something else still needs it is passed by. */
    const alongFrom = (step: 'stripBodies' | 'deleteEvents', ms: number) => {
      let from = new Date(0);
      return async () => {
        const done = await retention[step](_id, before(ms), from);
        from = done.to;
        return done;
      };
    };
    forgot.bodies += await whole(alongFrom('stripBodies', kept.bodies), isOver);
    forgot.resends += await whole(
      () => retention.deleteResendBodies(_id, before(kept.bodies)),
      isOver,
    );
    forgot.events += await whole(alongFrom('deleteEvents', kept.events), isOver);
    forgot.samples += await whole(() => retention.deleteSamples(_id, before(kept.samples)), isOver);
  }

  /** A webhook that was not finished is the first of the next turn. */
  async function turn(after: string): Promise<void> {
    const sinceMs = clock.elapsedMs();
    const isOver = () => closing.signal.aborted || clock.elapsedMs() - sinceMs >= budgetMs;
    const found = await retention.webhooksAfter(after, maxWebhooks);
    let last = after;
    for (const webhook of found) {
      await forget(webhook, isOver);
      if (isOver()) break;
      last = webhook._id;
    }
    const isRound = last === found.at(-1)?._id && found.length < maxWebhooks;
    await retention.saveCursor(found.length === 0 || isRound ? '' : last);
  }

  async function tick(): Promise<number> {
    try {
      Object.assign(forgot, nothing);
      const after = await retention.claimTurn(intervalMs / 2);
      if (after === null) return intervalMs;
      await turn(after);
      forgot.auditRows = await forgetAudit(deps, closing.signal);
      if (Object.values(forgot).some((count) => count > 0))
        logger.info({ ...forgot }, 'retention.deleted');
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
