/**
 * Recording: a delivery becomes a document in `events`, and only then may it be acknowledged.
 *
 * Promises: resolves only after MongoDB has the event with majority and journal, or has counted it as a resend of one
 * that it has. What is not known to be stored is `unavailable`, and the sender keeps it.
 * Concurrent deliveries share one insert, and one job for each webhook.
 */
import { createBatcher } from '../base/concurrency/batcher.ts';
import { AppError } from '../base/errors.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import { isBsonError } from '../store/db/errors.ts';
import type { InsertResult } from '../store/events/record-events.ts';
import type { EventStore } from '../store/events/events.ts';

export type Recorded = { readonly eventId: string; readonly duplicate: boolean };

export type RecordDeps = {
  readonly events: Pick<EventStore, 'insert' | 'countResend'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  /** Deliveries waiting for an insert, at most. */
  readonly maxPending?: number;
};

type Settled = Recorded & { readonly isNew: boolean };

const maxBatch = 100;
/** Then an insert takes its 6 s at most, which answers everybody within about 9 s. */
const maxWaitMs = 3_000;
/** How often a resend may meet an event that vanishes before it can be counted. */
const maxRollbacks = 3;
const retryAfterMs = 5_000;

const unavailable = (cause: unknown) => new AppError('unavailable', { retryAfterMs, cause });

export type RecordEvent = (record: EventRecord) => Promise<Recorded>;

export function createRecorder({ events, queue, maxPending = 2_000 }: RecordDeps): {
  record: RecordEvent;
} {
  async function settle(
    record: EventRecord,
    result: InsertResult,
    rollbacks = 0,
  ): Promise<Settled> {
    if (result instanceof Error) throw result instanceof AppError ? result : unavailable(result);
    if (result !== 'known') {
      const isNew = result === 'inserted';
      return {
        eventId: record._id,
        duplicate: !isNew,
        isNew: isNew && record.state === 'received',
      };
    }
    const counted = await events.countResend({
      webhookId: record.webhookId,
      channelId: record.channelId,
      dedupKeys: record.dedupKeys ?? [],
      delivery: record.delivery,
      bodySha256: record.bodySha256,
      bodyBytes: record.bodyBytes,
      parentId: null,
      itemIndex: null,
      mappingVersion: record.mappingVersion,
      maxAttempts: record.maxAttempts,
      revivedState: record.state === 'held' ? 'held' : 'received',
    });
    if (counted) return { ...counted, duplicate: true, isNew: counted.revived };
    if (rollbacks >= maxRollbacks) throw unavailable(new Error('A resend found no first event.'));
    const [again = 'known'] = await events.insert([record]);
    return settle(record, again, rollbacks + 1);
  }

  async function insert(records: readonly EventRecord[]): Promise<InsertResult[]> {
    try {
      return await events.insert(records);
    } catch (error) {
      if (!isBsonError(error)) throw unavailable(error);
      // One record that cannot be written at all fails alone, not the flush that it happened to be in.
      if (records.length === 1) return [new AppError('invalid_body', { cause: error })];
      return (await Promise.all(records.map((record) => insert([record])))).flat();
    }
  }

  async function flush(records: readonly EventRecord[]): Promise<readonly (Settled | Error)[]> {
    const results = await insert(records);
    const settled = await Promise.all(
      records.map((record, index) =>
        settle(record, results[index] ?? new Error('No result.')).catch((error: unknown) =>
          error instanceof AppError ? error : unavailable(error),
        ),
      ),
    );
    hintEvents(
      queue,
      settled.flatMap((result, index) => {
        const webhookId = records[index]?.webhookId;
        if (result instanceof Error || !result.isNew || webhookId === undefined) return [];
        return [{ _id: result.eventId, webhookId }];
      }),
    );
    return settled;
  }

  const batcher = createBatcher<EventRecord, Settled>({ maxBatch, maxPending, maxWaitMs, flush });
  return {
    async record(record) {
      const { eventId, duplicate } = await batcher.add(record);
      return { eventId, duplicate };
    },
  };
}
