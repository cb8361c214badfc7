/**
 * Evaluates notices every minute in one elected worker.
 *
 * Promises: the gauge of open notices is absent in processes that are not elected. A failed turn is repeated by the next.
 */
import { startTicker } from '../base/process/ticker.ts';
import { noticeKinds } from '../domain/notices/notice.ts';
import type { Election } from '../store/db/election.ts';
import { evaluateNotices, type EvaluateDeps } from './evaluate.ts';

type EvaluationDeps = EvaluateDeps & {
  readonly election: Election;
  /** Starts the deliveries that were stored. */
  readonly wakeDelivery: () => void;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 60_000;

export function startNoticeEvaluation(deps: EvaluationDeps) {
  const { election, stores, metrics, logger, intervalMs = defaultIntervalMs } = deps;

  async function tick(): Promise<number> {
    try {
      if (await election.isElected()) {
        if ((await evaluateNotices(deps)) > 0) deps.wakeDelivery();
        for (const kind of noticeKinds) metrics.noticesOpen.set({ kind }, 0);
        for (const { kind, count } of await stores.notices.countOpen()) {
          metrics.noticesOpen.set({ kind }, count);
        }
      } else metrics.noticesOpen.reset();
    } catch (err) {
      metrics.noticesOpen.reset();
      logger.warn({ err }, 'notices.failed');
    }
    return intervalMs;
  }

  const ticker = startTicker(tick, { firstMs: intervalMs / 10 });
  return {
    tick,
    async close(): Promise<void> {
      await ticker.close();
      metrics.noticesOpen.reset();
      await election.resign().catch(() => undefined);
    },
  };
}
