/** Recording: one unordered insert for a whole flush, and the count of a resend on its first event. */
import type { Delivery, EventRecord } from '../../domain/event.ts';
import { transitions, type StateAfter } from '../../domain/lifecycle.ts';
import { durable, promptly } from '../connection.ts';
import { settleBulk } from '../errors.ts';
import type { Events } from './collection.ts';
import { ledTo, literal } from './expressions.ts';

/** `known`: a resend, by the deduplication index. `same`: the very same record (its id) is already there. */
export type InsertResult = 'inserted' | 'known' | 'same' | Error;

/**
 * Inserts the records and tells each one's fate, in order. Rejects when nothing can be known of any of them
 * (no primary, write concern not met): then every sender must be told to try again.
 */
export function insertEvents(events: Events) {
  return async function insert(records: readonly EventRecord[]): Promise<InsertResult[]> {
    const refusals = await promptly((abort) =>
      settleBulk(() => events.insertMany([...records], { ordered: false, ...abort, ...durable })),
    );
    return records.map((_record, index) => {
      const refusal = refusals.get(index);
      if (!refusal) return 'inserted';
      if (refusal.kind === 'failed') return refusal.error;
      return refusal.index === '_id_' ? 'same' : 'known';
    });
  };
}

export type Resend = {
  readonly webhookId: string;
  readonly channelId: string;
  readonly dedupKeys: readonly string[];
  readonly delivery: Delivery | null;
  readonly bodySha256: string;
  readonly bodyBytes: number;
  readonly parentId: string | null;
  readonly itemIndex: number | null;
  readonly mappingVersion: number;
  /** Where a revived event goes: held when the webhook is paused. */
  readonly revivedState: StateAfter<'revive'>;
  /** The webhook's own limit, if it has one. */
  readonly maxAttempts?: number | undefined;
};

export type CountedResend = { readonly eventId: string; readonly revived: boolean };

/** A dead event, or one that an older mapping ignored, lives again by a resend. */
const isRevivable = (version: number) => ({
  $and: [
    { $in: ['$state', [...transitions.revive.from]] },
    { $or: [{ $ne: ['$state', 'ignored'] }, { $gt: [version, '$mappingVersion'] }] },
  ],
});

const revival = (resend: Resend) => {
  const when = (value: unknown, field: string) => ({ $cond: ['$revived', value, `$${field}`] });
  const isHeld = resend.revivedState === 'held';
  const previousBody = { $concat: ['resent, the body before was ', '$bodySha256'] };
  const { state, timeline } = ledTo('revive', resend.revivedState, previousBody);
  return {
    timeline: when(timeline, 'timeline'),
    state: when(state, 'state'),
    reason: when(null, 'reason'),
    delivery: when(literal(resend.delivery), 'delivery'),
    bodySha256: when(resend.bodySha256, 'bodySha256'),
    bodyBytes: when(resend.bodyBytes, 'bodyBytes'),
    parentId: when(resend.parentId, 'parentId'),
    itemIndex: when(resend.itemIndex, 'itemIndex'),
    channelId: when(resend.channelId, 'channelId'),
    mappingVersion: when(resend.mappingVersion, 'mappingVersion'),
    attempts: when(0, 'attempts'),
    maxAttempts: when(resend.maxAttempts ?? '$$REMOVE', 'maxAttempts'),
    generation: when({ $add: ['$generation', 1] }, 'generation'),
    fence: when({ $add: ['$fence', 1] }, 'fence'),
    dueAt: when(null, 'dueAt'),
    nextAt: when(isHeld ? null : '$$NOW', 'nextAt'),
    sweeps: when(0, 'sweeps'),
    crashes: when(0, 'crashes'),
    alone: when('$$REMOVE', 'alone'),
    finishedAt: when(null, 'finishedAt'),
    open: when(isHeld ? '$$REMOVE' : true, 'open'),
  };
};

/**
 * Counts a resend on the event that was first, and revives that event where a resend may. Null when no such event
 * exists (the first insert was rolled back): then the caller inserts again.
 */
export function countResend(events: Events) {
  return async function count(resend: Resend): Promise<CountedResend | null> {
    const differs = { $cond: [{ $eq: ['$bodySha256', resend.bodySha256] }, 0, 1] };
    const before = await promptly((abort) =>
      events.findOneAndUpdate(
        {
          webhookId: resend.webhookId,
          // The type is what lets the partial index be used: without it each resend reads all events of its webhook.
          dedupKeys: { $in: [...resend.dedupKeys], $type: 'string' },
        },
        [
          {
            $set: {
              deliveries: { $add: ['$deliveries', 1] },
              differing: { $add: ['$differing', differs] },
              lastSeenAt: '$$NOW',
              revived: isRevivable(resend.mappingVersion),
            },
          },
          { $set: revival(resend) },
          { $unset: 'revived' },
        ],
        {
          returnDocument: 'before',
          projection: { state: 1, mappingVersion: 1 },
          ...abort,
          ...durable,
        },
      ),
    );
    if (!before) return null;
    const revived =
      before.state === 'dead' ||
      (before.state === 'ignored' && resend.mappingVersion > before.mappingVersion);
    return { eventId: before._id, revived };
  };
}
