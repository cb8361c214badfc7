/**
 * Inserts event records, many in one command.
 *
 * Promises: `record` resolves only after MongoDB has the event with majority and journal, or has counted it as a resend of
 * a stored one. What is not known to be stored rejects with `unavailable`, and the sender sends it again.
 * Concurrent requests share one insert, and one hint for each webhook.
 */
import { createBatcher } from '../base/concurrency/batcher.ts';
import { AppError } from '../base/errors.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import { isBsonError } from '../store/db/errors.ts';
import type { EventStore } from '../store/events/events.ts';
import type { InsertResult } from '../store/events/record-events.ts';

type Recorded = { readonly eventId: string; readonly duplicate: boolean };

export type EventRecorder = {
  /** Rejects with `overloaded`, `unavailable`, or `invalid_body` for a record that MongoDB cannot hold. */
  record(this: void, record: EventRecord): Promise<Recorded>;
};

type Stores = { readonly events: Pick<EventStore, 'insert' | 'countResend'> };

type RecorderDeps = Stores & {
  readonly queue: Pick<EventQueue, 'hint'>;
  /** How many records may wait for an insert. */
  readonly maxPending?: number;
};

type Settled = Recorded & { readonly isNew: boolean };

const maxBatch = 100;
/** An insert then takes 6 s at most, so every request is answered within about 9 s. */
const maxWaitMs = 3_000;
/** How often a resend may find that its first event was rolled back before it could be counted. */
const maxRollbacks = 3;
const retryAfterMs = 5_000;

const unavailable = (cause: unknown) => new AppError('unavailable', { retryAfterMs, cause });

export function createRecorder({ events, queue, maxPending = 2_000 }: RecorderDeps): EventRecorder {
  const batcher = createBatcher<EventRecord, Settled>({
    maxBatch,
    maxPending,
    maxWaitMs,
    flush: (records) => flush({ events, queue }, records),
  });
  return {
    async record(record) {
      const { eventId, duplicate } = await batcher.add(record);
      return { eventId, duplicate };
    },
  };
}

async function flush(
  { events, queue }: RecorderDeps,
  records: readonly EventRecord[],
): Promise<readonly (Settled | Error)[]> {
  const results = await insert(events, records);
  const settled = await Promise.all(
    records.map((record, index) => {
      const result = results[index] ?? new Error('No result.');
      return settle(events, record, { result, rollbacks: 0 }).catch((error: unknown) =>
        error instanceof AppError ? error : unavailable(error),
      );
    }),
  );
  hintNew(queue, records, settled);
  return settled;
}

async function insert(
  events: Pick<EventStore, 'insert'>,
  records: readonly EventRecord[],
): Promise<InsertResult[]> {
  try {
    return await events.insert(records);
  } catch (error) {
    if (!isBsonError(error)) throw unavailable(error);
    // A record that cannot be stored fails alone, not the batch that it is in.
    if (records.length === 1) return [new AppError('invalid_body', { cause: error })];
    return (await Promise.all(records.map((record) => insert(events, [record])))).flat();
  }
}

/** Resolves to what became of one record of a batch; a record with a known dedup key is counted as a resend. */
async function settle(
  events: Stores['events'],
  record: EventRecord,
  { result, rollbacks }: { readonly result: InsertResult; readonly rollbacks: number },
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
  const counted = await events.countResend(resendOf(record));
  if (counted) return { ...counted, duplicate: true, isNew: counted.revived };
  if (rollbacks >= maxRollbacks) throw unavailable(new Error('A resend found no first event.'));
  const [again = 'known'] = await events.insert([record]);
  return settle(events, record, { result: again, rollbacks: rollbacks + 1 });
}

const resendOf = (record: EventRecord): Parameters<EventStore['countResend']>[0] => ({
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

function hintNew(
  queue: RecorderDeps['queue'],
  records: readonly EventRecord[],
  settled: readonly (Settled | Error)[],
): void {
  hintEvents(
    queue,
    settled.flatMap((result, index) => {
      const webhookId = records[index]?.webhookId;
      if (result instanceof Error || !result.isNew || webhookId === undefined) return [];
      return [{ _id: result.eventId, webhookId }];
    }),
  );
}
