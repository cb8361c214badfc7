/**
 * Keeps and counts the rejected requests of webhooks, so that a person sees what a sender does wrong.
 *
 * Promises: a sender never waits for it, and its answer never fails by it. What is kept is bounded, for each webhook and code and
 * in all, and is written in one batch a second; every rejection is counted. A killed process loses those of the last second.
 * Must never: keep a rejection of an unknown key, or store a path key.
 */
import type { Clock } from '../../base/clock.ts';
import { newIdAt } from '../../base/ids.ts';
import type { Logger } from '../../base/observability/logger.ts';
import { createTokenBucket, type Rate } from '../../base/rate-limit/token-bucket.ts';
import { startWriteBehind } from '../../base/write-behind.ts';
import { bucketStartOf } from '../../domain/stats.ts';
import type { RejectionBucket, RejectionCode } from '../../domain/webhooks/rejection.ts';
import type { RejectionCountStore } from '../../store/counters/rejection-counts.ts';
import type { RejectionStore } from '../../store/samples/rejections.ts';
import { storableRejection, type BodyExcerpt, type RejectedRequest } from './storable-rejection.ts';

type RejectionLogDeps = {
  readonly rejections: Pick<RejectionStore, 'add'>;
  readonly rejectionCounts: Pick<RejectionCountStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

const flushEveryMs = 1_000;
/** Rejections in one batch, and bodies that are being read: each at most 8 kB and the headers of a request. */
const maxPending = 200;
/** Webhooks and hours that are counted between two writes. Rejections of further ones are not counted. */
const maxBuckets = 20_000;
/** How many rejections of one webhook and code are kept. At this rate one code replaces the last 100 in a minute and a half. */
const keptRate: Rate = { burst: 10, everyMs: 1_000 };
const maxRates = 20_000;

type MutableBucket = Pick<RejectionBucket, 'webhookId' | 'hour'> & {
  readonly codes: Partial<Record<RejectionCode, number>>;
};

export type RejectionLog = ReturnType<typeof startRejectionLog>;

export function startRejectionLog(deps: RejectionLogDeps) {
  const { rejections, rejectionCounts, clock, logger } = deps;
  const rates = createTokenBucket({ max: maxRates, nowMs: () => clock.elapsedMs() });
  const readings = new Set<Promise<void>>();
  const kept = startWriteBehind<RejectedRequest & { readonly body: BodyExcerpt | null }>({
    write: (entries) => rejections.add(entries.map(storableRejection)),
    onFailure: (err, entries) =>
      logger.warn({ err, rejections: entries.length }, 'rejections.not_saved'),
    maxEntries: maxPending,
    intervalMs: flushEveryMs,
  });
  const counted = startWriteBehind<MutableBucket>({
    write: (buckets) => rejectionCounts.add(buckets),
    onFailure: (err, buckets) =>
      logger.warn({ err, buckets: buckets.length }, 'rejections.not_counted'),
    maxEntries: maxBuckets,
    intervalMs: flushEveryMs,
  });

  function count(webhookId: string, code: RejectionCode): void {
    const hour = bucketStartOf('hour', clock.now());
    const bucket = counted.entryOf(`${webhookId}:${+hour}`, () => ({ webhookId, hour, codes: {} }));
    if (bucket) bucket.codes[code] = (bucket.codes[code] ?? 0) + 1;
  }

  const isKept = (webhookId: string, code: RejectionCode): boolean =>
    readings.size < maxPending && rates.take(`${webhookId}:${code}`, keptRate).retryAfterMs === 0;

  /** Writes what was added until now, once its bodies are read. Never rejects. */
  async function flush(): Promise<void> {
    await Promise.all(readings);
    await Promise.all([kept.flush(), counted.flush()]);
  }

  return {
    /**
     * Counts the rejection. `readBody` is called at once, and only if the rejection is kept; it resolves to null when nothing of
     * the body is known, and must not reject.
     */
    add(
      rejected: Omit<RejectedRequest, '_id' | 'receivedAt'>,
      readBody: () => Promise<BodyExcerpt | null>,
    ): void {
      const { webhookId, code } = rejected;
      count(webhookId, code);
      if (!isKept(webhookId, code)) return;
      const receivedAt = clock.now();
      const entry = { ...rejected, _id: newIdAt(+receivedAt), receivedAt };
      const reading = readBody().then((body) => {
        kept.entryOf(entry._id, () => ({ ...entry, body }));
        readings.delete(reading);
      });
      readings.add(reading);
    },
    flush,
    async close(): Promise<void> {
      await flush();
      await Promise.all([kept.close(), counted.close()]);
    },
  };
}
