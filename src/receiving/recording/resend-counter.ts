/**
 * Counts resends of stored events, many in one call of the store.
 *
 * Promises: resends never delay new events, because they wait apart from them and rest between calls while new events
 * arrive. How many may wait is bounded, in all and for each webhook; more are rejected with `overloaded`. Webhooks take turns.
 */
import { createBatcher } from '../../base/concurrency/batcher.ts';
import { AppError } from '../../base/errors.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { hintEvents, type EventQueue } from '../../queue/process-events.ts';
import type { ResendResult } from '../../store/events/count-resends.ts';
import type { EventStore } from '../../store/events/events.ts';

type ResendCounterDeps = {
  readonly events: Pick<EventStore, 'countResends'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly maxPending: number;
  /** Whether new events arrive too. Otherwise resends need not leave time to them. */
  readonly hasNewEvents: () => boolean;
  readonly nowMs?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
};

/** Small, because the sender of a storm answers a large batch with as many requests at once, which delay everybody else. */
const maxBatch = 16;
/** While new events arrive, a call is followed by a rest of so many times its duration. */
const restRatio = 4;
const maxRestMs = 250;
const maxWaitMs = 3_000;
const retryAfterMs = 5_000;

/** The outcome of a write is unknown. */
export const unavailable = (cause: unknown) => new AppError('unavailable', { retryAfterMs, cause });

export function createResendCounter(deps: ResendCounterDeps) {
  const { hasNewEvents, nowMs, pause } = deps;
  const batcher = createBatcher<EventRecord, Exclude<ResendResult, Error>>({
    maxBatch,
    maxPending: deps.maxPending,
    isShared: true,
    maxWaitMs,
    restMs: (callMs) => (hasNewEvents() ? Math.min(maxRestMs, callMs * restRatio) : 0),
    ...(nowMs && { nowMs }),
    ...(pause && { pause }),
    groupOf: ({ webhookId }) => webhookId,
    flush: (records) => flush(deps, records),
  });
  return {
    /**
     * Resolves to the first event once the resend is counted; to null when it has no first event any more. Rejects with
     * `overloaded` or `unavailable`.
     */
    count: batcher.add,
  };
}

async function flush(
  { events, queue }: ResendCounterDeps,
  records: readonly EventRecord[],
): Promise<ResendResult[]> {
  const results = await events.countResends(records.map(resendOf)).catch((error: unknown) => {
    throw unavailable(error);
  });
  const revived = records.flatMap(({ webhookId, state }, index) => {
    const result = results[index];
    if (!result || result instanceof Error || !result.revived || state === 'held') return [];
    return [{ _id: result.eventId, webhookId }];
  });
  hintEvents(queue, revived);
  return results.map((result) => (result instanceof Error ? unavailable(result) : result));
}

const resendOf = (record: EventRecord): Parameters<EventStore['countResends']>[0][number] => ({
  webhookId: record.webhookId,
  channelId: record.channelId,
  dedupKeys: record.dedupKeys ?? [],
  delivery: record.delivery,
  trace: record.trace,
  bodySha256: record.bodySha256,
  bodyBytes: record.bodyBytes,
  parentId: null,
  itemIndex: null,
  mappingVersion: record.mappingVersion,
  maxAttempts: record.maxAttempts,
  revivedState: record.state === 'held' ? 'held' : 'received',
});
