/**
 * Keeps and counts the rejected requests of webhooks, so that a person sees what a sender does wrong.
 *
 * Promises: a sender never waits for it, and its answer never fails by it. What is kept is bounded, for each webhook and
 * in all, and is written in one batch a second; every rejection is counted. A killed process loses those of the last second.
 * Must never: keep a rejection of an unknown key, or store a path key.
 */
import type { Clock } from '../../base/clock.ts';
import { newIdAt } from '../../base/ids.ts';
import type { Logger } from '../../base/observability/logger.ts';
import { startWriteBehind } from '../../base/write-behind.ts';
import { bucketStartOf } from '../../domain/stats.ts';
import {
  maxRejections,
  type RejectionBucket,
  type RejectionCode,
} from '../../domain/webhooks/rejection.ts';
import { addRejectionCounts } from '../../store/counters/rejection-counts.ts';
import type { RejectionStore } from '../../store/samples/rejections.ts';
import { storableRejection, type BodyExcerpt, type RejectedRequest } from './storable-rejection.ts';
import type { Db } from '../../store/db/connection.ts';

type RejectionLogDeps = Db & {
  readonly rejections: Pick<RejectionStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

const flushEveryMs = 1_000;
/** Of the counts, when very many webhooks reject. */
const maxFlushEveryMs = 60_000;
const maxPerWrite = 500;
/** Rejections that wait to be written: each at most 8 kB of the body and the headers of a request. Further ones are only counted. */
const maxPending = 1_000;
/** Bodies that are being read. Of further rejections the body is not kept. */
const maxReadings = 200;
/** Webhooks and hours that are counted between two writes. Rejections of further ones are not counted. */
const maxBuckets = 20_000;

type Entry = RejectedRequest & { readonly body: BodyExcerpt | null };

type MutableBucket = Pick<RejectionBucket, 'webhookId' | 'hour'> & {
  readonly codes: Partial<Record<RejectionCode, number>>;
};

export type RejectionLog = ReturnType<typeof startRejectionLog>;

export function startRejectionLog(deps: RejectionLogDeps) {
  const { rejections, clock, logger } = deps;
  const readings = new Set<Promise<void>>();
  let pending = 0;
  const kept = startWriteBehind<Entry[]>({
    write(lists) {
      const entries = lists.flat();
      pending -= entries.length;
      return rejections.add(entries.map(storableRejection));
    },
    onFailure: (err, lists) =>
      logger.warn({ err, rejections: lists.flat().length }, 'rejections.not_saved'),
    maxEntries: maxPending,
    intervalMs: flushEveryMs,
  });
  const counted = startWriteBehind<MutableBucket>({
    write: (buckets) => addRejectionCounts(deps, buckets),
    onFailure: (err, buckets) =>
      logger.warn({ err, buckets: buckets.length }, 'rejections.not_counted'),
    maxEntries: maxBuckets,
    maxPerWrite,
    intervalMs: flushEveryMs,
    maxIntervalMs: maxFlushEveryMs,
  });

  function count(webhookId: string, code: RejectionCode): void {
    const hour = bucketStartOf('hour', clock.now());
    const bucket = counted.entryOf(`${webhookId}:${+hour}`, () => ({ webhookId, hour, codes: {} }));
    if (bucket) bucket.codes[code] = (bucket.codes[code] ?? 0) + 1;
  }

  /** Of a webhook only the last are written: the others would be deleted at once. */
  function keep(entry: Entry): void {
    const list = kept.entryOf(entry.webhookId, () => []);
    if (!list) return;
    const isFull = pending >= maxPending;
    if (list.length === maxRejections || (isFull && list.length > 0)) list.shift();
    else if (isFull) return;
    else pending += 1;
    list.push(entry);
  }

  /** Writes what was added until now, once its bodies are read. Never rejects. */
  async function flush(): Promise<void> {
    await Promise.all(readings);
    await Promise.all([kept.flush(), counted.flush()]);
  }

  return {
    /** Counts the rejection. `readBody` is called at once; it resolves to null when nothing of the body is known, and must not reject. */
    add(
      rejected: Omit<RejectedRequest, '_id' | 'receivedAt'>,
      readBody: () => Promise<BodyExcerpt | null>,
    ): void {
      count(rejected.webhookId, rejected.code);
      const receivedAt = clock.now();
      const entry = { ...rejected, _id: newIdAt(+receivedAt), receivedAt };
      if (readings.size >= maxReadings) {
        keep({ ...entry, body: null });
        return;
      }
      const reading = readBody().then((body) => {
        keep({ ...entry, body });
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
