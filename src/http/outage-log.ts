/** Logs 503 answers: one line when they begin, and one with their counts when there was none for `quietMs`. */
import type { AppError, ErrorCode } from '../base/errors.ts';
import type { Logger } from '../base/observability/logger.ts';

type OutageLog = { note(error: AppError, requestId: string): void };

const quietMs = 10_000;

export function createOutageLog(logger: Logger): OutageLog {
  let current: { sinceMs: number; answers: Partial<Record<ErrorCode, number>> } | undefined;
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    if (!current) return;
    const durationMs = Math.round(performance.now() - current.sinceMs - quietMs);
    logger.info({ answers: current.answers, durationMs }, 'http.available');
    current = undefined;
  }

  return {
    note(error, requestId) {
      if (!current) {
        logger.warn({ err: error, requestId }, 'http.unavailable');
        current = { sinceMs: performance.now(), answers: {} };
        timer = setTimeout(end, quietMs);
        timer.unref();
      }
      const { answers } = current;
      answers[error.code] = (answers[error.code] ?? 0) + 1;
      timer?.refresh();
    },
  };
}
