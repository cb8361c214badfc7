/**
 * Evaluates notices every minute in one elected worker.
 *
 * Promises: the gauge of open notices is absent in processes that are not elected. A failed turn is repeated by the next.
 */
import { startElectedTicker } from '../base/process/ticker.ts';
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

  return startElectedTicker({
    election,
    intervalMs,
    async work() {
      if ((await evaluateNotices(deps)) > 0) deps.wakeDelivery();
      for (const kind of noticeKinds) metrics.noticesOpen.set({ kind }, 0);
      for (const { kind, count } of await stores.notices.countOpen()) {
        metrics.noticesOpen.set({ kind }, count);
      }
    },
    leave: () => metrics.noticesOpen.reset(),
    onError: (err) => logger.warn({ err }, 'notices.failed'),
  });
}
