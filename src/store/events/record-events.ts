/** Inserts events, one unordered bulk per flush, and counts a resend on its first event. */
import { maxResends, type InboundRequest, type EventRecord } from '../../domain/events/event.ts';
import { transitions, type StateAfter } from '../../domain/events/lifecycle.ts';
import { majorityWrite, withDeadline } from '../db/connection.ts';
import { collectBulkFailures } from '../db/errors.ts';
import { keptHashesAfter, maxKeptBodies, type ResendBody } from './resend-bodies.ts';
import type { Events } from './collection.ts';
import { literal } from '../db/expressions.ts';
import { stateChange } from './state-change.ts';

/** `known`: the deduplication index reports a resend. `same`: a record with this id exists already. */
export type InsertResult = 'inserted' | 'known' | 'same' | Error;

/**
 * Inserts the records and returns one result for each, in order. Rejects when the outcome of all records is unknown (no
 * primary, write concern not met). Every sender must then retry.
 */
export function insertEvents(events: Events) {
  return async function insert(records: readonly EventRecord[]): Promise<InsertResult[]> {
    const failures = await withDeadline((abort) =>
      collectBulkFailures(() =>
        events.insertMany([...records], { ordered: false, ...abort, ...majorityWrite }),
      ),
    );
    return records.map((_record, index) => {
      const failure = failures.get(index);
      if (!failure) return 'inserted';
      if (failure.kind === 'failed') return failure.error;
      return failure.index === '_id_' ? 'same' : 'known';
    });
  };
}

type ResentEvent = {
  readonly webhookId: string;
  readonly channelId: string;
  readonly dedupKeys: readonly string[];
  readonly delivery: InboundRequest | null;
  readonly bodySha256: string;
  readonly bodyBytes: number;
  readonly parentId: string | null;
  readonly itemIndex: number | null;
  readonly mappingVersion: number;
  /** The state of the event after a revival: `held` when the webhook is paused. */
  readonly revivedState: StateAfter<'revive'>;
  /** The webhook's own limit, if it has one. */
  readonly maxAttempts?: number | undefined;
};

type CountedResend = { readonly eventId: string; readonly revived: boolean };

/** A resend revives a dead event, and an ignored event whose mapping version is older. */
const isRevivable = (version: number) => ({
  $and: [
    { $in: ['$state', [...transitions.revive.from]] },
    { $ne: ['$erased', true] },
    { $or: [{ $ne: ['$state', 'ignored'] }, { $gt: [version, '$mappingVersion'] }] },
  ],
});

const revivalFields = (resend: ResentEvent) => {
  const when = (value: unknown, field: string) => ({ $cond: ['$revived', value, `$${field}`] });
  const isHeld = resend.revivedState === 'held';
  const previousBody = { $concat: ['resent, the body before was ', '$bodySha256'] };
  const { state, timeline } = stateChange('revive', resend.revivedState, previousBody);
  return {
    timeline: when(timeline, 'timeline'),
    state: when(state, 'state'),
    reason: when(null, 'reason'),
    delivery: when(literal(resend.delivery), 'delivery'),
    strippedAt: when('$$REMOVE', 'strippedAt'),
    firstSha256: when({ $ifNull: ['$firstSha256', '$bodySha256'] }, 'firstSha256'),
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
    livesAgainAt: when('$$NOW', 'livesAgainAt'),
    open: when(isHeld ? '$$REMOVE' : true, 'open'),
  };
};

const resendCount = ({ bodySha256, mappingVersion }: ResentEvent) => {
  const differs = { $cond: [{ $eq: ['$bodySha256', bodySha256] }, 0, 1] };
  const n = { $add: ['$deliveries', 1] };
  const line = { n, at: '$$NOW', bodySha256, revived: isRevivable(mappingVersion) };
  const lines = { $concatArrays: [{ $ifNull: ['$resends', []] }, [line]] };
  return {
    deliveries: n,
    differing: { $add: ['$differing', differs] },
    resends: { $slice: [lines, -maxResends] },
    lastSeenAt: '$$NOW',
    revived: isRevivable(mappingVersion),
  };
};

/**
 * Sets the hashes of the bodies that are kept as copies. When the bodies differ, a copy is kept of the one that the event
 * does not store.
 */
function copyHashes({ bodySha256, mappingVersion }: ResentEvent) {
  const isOther = { $ne: ['$bodySha256', bodySha256] };
  const keep = { $cond: [isRevivable(mappingVersion), '$bodySha256', bodySha256] };
  const others = {
    $filter: {
      input: { $ifNull: ['$resentBodies', []] },
      cond: { $not: { $in: ['$$this', [bodySha256, '$bodySha256']] } },
    },
  };
  const kept = { $slice: [{ $concatArrays: [others, [keep]] }, -maxKeptBodies] };
  return { resentBodies: { $cond: [isOther, kept, { $ifNull: ['$resentBodies', '$$REMOVE'] }] } };
}

type Before = Pick<
  EventRecord,
  | 'state'
  | 'mappingVersion'
  | 'erased'
  | 'bodySha256'
  | 'bodyBytes'
  | 'delivery'
  | 'parentId'
  | 'itemIndex'
  | 'resentBodies'
> & { readonly _id: string };

const wasRevived = ({ state, mappingVersion, erased }: Before, resend: ResentEvent): boolean =>
  !erased && (state === 'dead' || (state === 'ignored' && resend.mappingVersion > mappingVersion));

/** Returns the body to copy (the resent one, or after a revival the previous one) and the hashes of copies to delete. */
function copyOf(before: Before, resend: ResentEvent): { body: ResendBody; gone: string[] } {
  const isRevived = wasRevived(before, resend);
  const { bodySha256, bodyBytes, delivery, parentId, itemIndex } = isRevived ? before : resend;
  const had = before.resentBodies ?? [];
  const own = isRevived ? resend.bodySha256 : before.bodySha256;
  const has = keptHashesAfter(had, { keep: bodySha256, own });
  const copied = { bodyBytes, delivery: delivery ?? null, parentId, itemIndex };
  return {
    body: { eventId: before._id, webhookId: resend.webhookId, bodySha256, ...copied },
    gone: had.filter((hash) => !has.includes(hash)),
  };
}

type Keep = (body: ResendBody, gone: readonly string[]) => Promise<void>;

/**
 * Counts a resend on the first event, and revives that event if it is revivable. Returns null when no such event exists
 * (the first insert was rolled back); the caller then inserts again. A resend with a different body causes a second write,
 * which keeps a copy of that body for comparison. A failure of the second write does not undo the count.
 */
export function countResend(events: Events, keep: Keep) {
  return async function count(resend: ResentEvent): Promise<CountedResend | null> {
    const isOther = { $ne: ['$bodySha256', resend.bodySha256] };
    const isReplaced = { $and: [isOther, isRevivable(resend.mappingVersion)] };
    const before = (await withDeadline((abort) =>
      events.findOneAndUpdate(
        {
          webhookId: resend.webhookId,
          // `$type` lets MongoDB use the partial index. Without it, each resend reads all events of its webhook.
          dedupKeys: { $in: [...resend.dedupKeys], $type: 'string' },
        },
        [
          { $set: { ...resendCount(resend), ...copyHashes(resend) } },
          { $set: revivalFields(resend) },
          { $unset: 'revived' },
        ],
        {
          returnDocument: 'before',
          projection: {
            state: 1,
            mappingVersion: 1,
            erased: 1,
            bodySha256: 1,
            bodyBytes: 1,
            parentId: 1,
            itemIndex: 1,
            resentBodies: 1,
            // The body may be a megabyte. It is returned only when this write replaces it.
            delivery: { $cond: [isReplaced, '$delivery', null] },
          },
          ...abort,
          ...majorityWrite,
        },
      ),
    )) as Before | null;
    if (!before) return null;
    // An erased event gets no copy.
    if (before.bodySha256 !== resend.bodySha256 && !before.erased) {
      const { body, gone } = copyOf(before, resend);
      await keep(body, gone);
    }
    return { eventId: before._id, revived: wasRevived(before, resend) };
  };
}
