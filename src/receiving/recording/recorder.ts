/**
 * Inserts event records, many in one command.
 *
 * Promises: `record` resolves only after MongoDB has the event with majority and journal, or has counted it as a resend of
 * a stored one. What is not known to be stored rejects with `unavailable`, and the sender sends it again.
 * Concurrent requests share one insert and one hint. Webhooks take turns in the inserts.
 * Must never: let an insert wait for resends. They are counted beside the inserts, within a bound of their own.
 */
import { createBatcher } from '../../base/concurrency/batcher.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { hintEvents, type EventQueue } from '../../queue/process-events.ts';
import { isBsonError } from '../../store/db/errors.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { InsertResult } from '../../store/events/record-events.ts';
import { createResendCounter, unavailable } from './resend-counter.ts';
import { createResendStorms } from './resend-storms.ts';

type RecordOptions = { readonly hasOwnId?: boolean };

type RecorderDeps = {
  readonly events: Pick<EventStore, 'insert' | 'countResends'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  /** Gets one line for each insert. Default: none. */
  readonly logger?: Pick<Logger, 'info'>;
  /** How many records may wait for an insert. Resends may take a quarter of it once more, to be counted. */
  readonly maxPending?: number;
};

const maxBatch = 100;
/** Inserts in flight, only one of them with events of the same webhook: a busy webhook leaves the other to the rest. */
const maxInserts = 2;
/** An insert then takes 6 s at most, so every request is answered within about 9 s. */
const maxWaitMs = 3_000;
/** How often a resend may find that its first event was rolled back before it could be counted. */
const maxRollbacks = 3;

export type EventRecorder = ReturnType<typeof createRecorder>;

export function createRecorder({ events, queue, logger, maxPending = 2_000 }: RecorderDeps) {
  const inserts = createBatcher<EventRecord, InsertResult>({
    maxBatch,
    maxPending,
    maxWaitMs,
    concurrency: maxInserts,
    maxFlushesPerGroup: 1,
    startsNextTurn: true,
    groupOf: ({ webhookId }) => webhookId,
    flush: (records) => flush({ events, queue, logger }, records),
  });
  let lastNewMs = -Infinity;
  const resends = createResendCounter({
    events,
    queue,
    maxPending: Math.ceil(maxPending / 4),
    hasNewEvents: () => performance.now() - lastNewMs < 1_000,
  });
  const storms = createResendStorms();

  /**
   * During a storm of resends, counts the record if it is one. Resolves to null for an event that is maybe new. A storm beyond
   * the bound is `overloaded`: MongoDB takes several times as long to reject its inserts, which would delay everybody.
   */
  async function countFirst(record: EventRecord, { hasOwnId = false }: RecordOptions) {
    const { webhookId, dedupKeys = [] } = record;
    if (hasOwnId || dedupKeys.length === 0 || !storms.isOn(webhookId)) return null;
    return resends.count(record);
  }

  return {
    /**
     * `hasOwnId`: the id is derived from what the record was made of, so that repeating the call is no resend. Rejects with
     * `overloaded`, `unavailable`, or `invalid_body` for a record that MongoDB cannot hold.
     */
    record: async (record: EventRecord, options: RecordOptions = {}) => {
      const { webhookId } = record;
      const known = await countFirst(record, options);
      if (known) {
        storms.note(webhookId, 'resend');
        return { eventId: known.eventId, duplicate: true };
      }
      for (let rollbacks = 0; rollbacks <= maxRollbacks; rollbacks += 1) {
        const result = await inserts.add(record);
        storms.note(webhookId, result === 'known' ? 'resend' : 'new');
        if (result !== 'known') {
          lastNewMs = performance.now();
          return { eventId: record._id, duplicate: result === 'same' };
        }
        const counted = await resends.count(record);
        if (counted) return { eventId: counted.eventId, duplicate: true };
      }
      throw unavailable(new Error('A resend found no first event.'));
    },
  };
}

async function flush(
  { events, queue, logger }: Omit<RecorderDeps, 'maxPending'>,
  records: readonly EventRecord[],
): Promise<readonly InsertResult[]> {
  const startedMs = performance.now();
  const results = await insert(events, records);
  if (logger) logInsert(logger, results, performance.now() - startedMs);
  const open = records.filter(
    ({ state }, index) => results[index] === 'inserted' && state === 'received',
  );
  hintEvents(queue, open);
  return results.map((result) =>
    result instanceof Error && !(result instanceof AppError) ? unavailable(result) : result,
  );
}

function logInsert(
  logger: Pick<Logger, 'info'>,
  results: readonly InsertResult[],
  durationMs: number,
): void {
  const count = (isOne: (result: InsertResult) => boolean) => results.filter(isOne).length;
  const line = {
    events: count((result) => result === 'inserted'),
    resends: count((result) => result === 'known' || result === 'same'),
    failed: count((result) => result instanceof Error),
    durationMs: Math.round(durationMs),
  };
  logger.info(line, 'events.received');
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
