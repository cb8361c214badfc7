/** Inserts events, one unordered bulk per flush. */
import type { EventRecord } from '../../domain/events/event.ts';
import { withDeadline } from '../db/deadline.ts';
import { collectBulkFailures } from '../db/errors.ts';
import type { Events } from './state-change.ts';

/** `known`: the deduplication index reports a resend. `same`: a record with this id exists already. */
export type InsertResult = 'inserted' | 'known' | 'same' | Error;

/** Rejects when the outcome of all records is unknown (no primary, write concern not met): every sender must then retry. */
export async function insertEvents(
  events: Events,
  records: readonly EventRecord[],
): Promise<InsertResult[]> {
  const failures = await withDeadline((abort) =>
    collectBulkFailures(() => events.insertMany([...records], { ordered: false, ...abort })),
  );
  return records.map((_record, index) => {
    const failure = failures.get(index);
    if (!failure) return 'inserted';
    if (failure.kind === 'failed') return failure.error;
    return failure.index === '_id_' ? 'same' : 'known';
  });
}
