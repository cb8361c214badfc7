/**
 * Counts resends on their first events, and revives the events that a resend can revive.
 *
 * Promises: the result is the same as if the resends were counted one by one. Resends of one event share a statement.
 * Resends of several events share one read and one bulk if only counts change.
 */
import { groupBy } from '../../base/group-by.ts';
import { withDeadline } from '../db/deadline.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Events } from './state-change.ts';
import { keptHashesAfter, type ResendBody } from './resend-bodies.ts';
import {
  countFields,
  replacesBody,
  resendStages,
  type EqualResends,
  type ResentEvent,
} from './resend-update.ts';

type CountedResend = { readonly eventId: string; readonly revived: boolean };

/** Null: no such event exists, because its insert was rolled back. The caller then inserts again. */
export type ResendResult = CountedResend | null | Error;

type Keep = (
  event: { readonly eventId: string; readonly webhookId: string },
  changed: { readonly added: readonly ResendBody[]; readonly gone: readonly string[] },
) => Promise<void>;

type Counting = { readonly events: Events; readonly keep: Keep };

type Group = readonly ResentEvent[];

/** Statements in flight of one call; a process has 32 connections. */
const maxConcurrent = 4;
/** Each body is part of the statement, which MongoDB limits to 16 MiB. */
const maxBytesPerStatement = 4_194_304;
const maxDifferentPerStatement = 20;

/**
 * Returns a function that counts resends. It resolves to one result for each, in order; an `Error` means that the outcome of
 * that resend is unknown. A resend with a different body causes a second write, which keeps a copy of that body for
 * comparison. A failure of the second write does not undo the count.
 */
export function countResends(events: Events, keep: Keep) {
  const counting = { events, keep };
  return async function count(resends: readonly ResentEvent[]): Promise<ResendResult[]> {
    const groups = groupsBy(resends, ({ webhookId, dedupKeys }) => [webhookId, ...dedupKeys]);
    const results = new Map<ResentEvent, ResendResult>();
    const settle = (group: Group, settled: (resend: ResentEvent) => ResendResult) => {
      for (const resend of group) results.set(resend, settled(resend));
    };
    const left = groups.length > 1 ? await countPlain(counting, groups, settle) : groups;
    await forEachOf(left, async (group) => {
      try {
        const counted = await countGroup(counting, group);
        settle(group, (resend) => counted.get(resend) ?? null);
      } catch (error) {
        settle(group, () => (error instanceof Error ? error : new Error('The count failed.')));
      }
    });
    return resends.map((resend) => results.get(resend) ?? null);
  };
}

const groupsBy = <Item>(items: readonly Item[], keyOf: (item: Item) => readonly unknown[]) => [
  ...groupBy(items, (item) => JSON.stringify(keyOf(item))).values(),
];

async function forEachOf<Item>(items: readonly Item[], run: (item: Item) => Promise<void>) {
  const left = items.values();
  const runs = Array.from({ length: maxConcurrent }, async () => {
    for (const item of left) await run(item);
  });
  await Promise.all(runs);
}

type Known = Pick<EventRecord, '_id' | 'state' | 'mappingVersion' | 'erased' | 'bodySha256'>;

/**
 * Counts the groups whose resends change nothing but counts: the body is the event's own, and the event is not revivable. It
 * decides by a read, so a change after the read counts as later than these resends. Returns the other groups.
 */
async function countPlain(
  { events }: Counting,
  groups: readonly Group[],
  settle: (group: Group, settled: () => ResendResult) => void,
): Promise<readonly Group[]> {
  const known = await findKnown(events, groups);
  const plain: { readonly group: Group; readonly _id: string; readonly sha256: string }[] = [];
  const others: Group[] = [];
  for (const [index, group] of groups.entries()) {
    const event = known[index];
    const isPlain = event && group.every((resend) => changesOnlyCounts(event, resend));
    if (isPlain) plain.push({ group, _id: event._id, sha256: event.bodySha256 });
    else others.push(group);
  }
  if (plain.length === 0) return others;
  const operations = plain.map(({ group, _id, sha256 }) => ({
    updateOne: { filter: { _id }, update: [{ $set: countFields(sha256, group.length) }] },
  }));
  const { matchedCount } = await withDeadline((abort) =>
    events.bulkWrite(operations, { ordered: false, ...abort }),
  );
  const ids = plain.map(({ _id }) => _id);
  const present = matchedCount === plain.length ? ids : await findPresent(events, ids);
  const isPresent = new Set(present);
  for (const { group, _id } of plain) {
    settle(group, () => (isPresent.has(_id) ? { eventId: _id, revived: false } : null));
  }
  return others;
}

const changesOnlyCounts = (event: Known, resend: ResentEvent): boolean =>
  event.bodySha256 === resend.bodySha256 && !wasRevived(event, resend);

/** Resolves to the first event of each group; undefined where there is none. */
async function findKnown(
  events: Events,
  groups: readonly Group[],
): Promise<readonly (Known | undefined)[]> {
  const firsts = groups.flatMap(([first]) => first ?? []);
  const branches = groupsBy(firsts, ({ webhookId }) => [webhookId]).map((resends) => ({
    webhookId: resends[0]?.webhookId ?? '',
    // `$type` lets MongoDB use the partial index.
    dedupKeys: { $in: resends.flatMap(({ dedupKeys }) => dedupKeys), $type: 'string' as const },
  }));
  const projection = { webhookId: 1, dedupKeys: 1, state: 1, mappingVersion: 1, erased: 1 };
  const found = await withDeadline((abort) =>
    events
      .find({ $or: branches }, { projection: { ...projection, bodySha256: 1 }, ...abort })
      .toArray(),
  );
  const byKey = new Map(
    found.flatMap((event) =>
      (event.dedupKeys ?? []).map((key) => [`${event.webhookId} ${key}`, event] as const),
    ),
  );
  return groups.map(([first]) => {
    const keys = first?.dedupKeys ?? [];
    const key = keys.find((one) => byKey.has(`${first?.webhookId} ${one}`));
    return byKey.get(`${first?.webhookId} ${key}`);
  });
}

const findPresent = (events: Events, ids: readonly string[]): Promise<string[]> =>
  withDeadline(async (abort) => {
    const where = { _id: { $in: [...ids] } };
    const found = await events.find(where, { projection: { _id: 1 }, ...abort }).toArray();
    return found.map(({ _id }) => _id);
  });

/** Counts the resends of one event. The map has no result for resends whose event does not exist. */
async function countGroup(counting: Counting, group: Group) {
  const counted = new Map<ResentEvent, CountedResend>();
  const equals = groupsBy(group, (resend) => [
    resend.bodySha256,
    resend.channelId,
    resend.mappingVersion,
    resend.revivedState,
    resend.maxAttempts,
    resend.parentId,
    resend.itemIndex,
  ]);
  for (const statement of statementsOf(equals)) {
    const folded = statement.flatMap((equal) => {
      const [resend] = equal;
      return resend ? [{ resend, times: equal.length }] : [];
    });
    const result = await runStatement(counting, folded);
    for (const equal of result ? statement : []) {
      for (const [index, resend] of equal.entries()) {
        const revived = index === 0 && result?.revivedBy === resend;
        counted.set(resend, { eventId: result?.eventId ?? '', revived });
      }
    }
  }
  return counted;
}

/** Cuts different resends of one event into statements of bounded size. */
function statementsOf(equals: readonly Group[]): Group[][] {
  const statements: Group[][] = [];
  let bytes = Infinity;
  for (const equal of equals) {
    const more = equal[0]?.bodyBytes ?? 0;
    const last = statements.at(-1);
    bytes += more;
    if (last && bytes <= maxBytesPerStatement && last.length < maxDifferentPerStatement) {
      last.push(equal);
    } else {
      statements.push([equal]);
      bytes = more;
    }
  }
  return statements;
}

const fieldsBefore = {
  state: 1,
  mappingVersion: 1,
  erased: 1,
  bodySha256: 1,
  bodyBytes: 1,
  parentId: 1,
  itemIndex: 1,
  resentBodies: 1,
} as const;
type Before = Pick<EventRecord, 'delivery' | keyof typeof fieldsBefore>;

async function runStatement({ events, keep }: Counting, folded: readonly EqualResends[]) {
  const resends = folded.map(({ resend }) => resend);
  const [{ webhookId, dedupKeys }] = resends as [ResentEvent];
  const before = (await withDeadline((abort) =>
    events.findOneAndUpdate(
      // `$type` lets MongoDB use the partial index. Without it, each resend reads all events of its webhook.
      { webhookId, dedupKeys: { $in: [...dedupKeys], $type: 'string' } },
      folded.flatMap(resendStages),
      {
        returnDocument: 'before',
        projection: {
          ...fieldsBefore,
          // The body may be a megabyte. It is returned only when this write replaces it.
          delivery: { $cond: [replacesBody(resends), '$delivery', null] },
        },
        ...abort,
      },
    ),
  )) as (Before & { readonly _id: string }) | null;
  if (!before) return null;
  const { revivedBy, added, gone } = applyInMemory(before, resends);
  // An erased event gets no copy.
  if (!before.erased) await keep({ eventId: before._id, webhookId }, { added, gone });
  return { eventId: before._id, revivedBy };
}

const wasRevived = ({ state, mappingVersion, erased }: Omit<Known, '_id'>, resend: ResentEvent) =>
  !erased && (state === 'dead' || (state === 'ignored' && resend.mappingVersion > mappingVersion));

const bodyOf = ({ bodySha256, bodyBytes, delivery, parentId, itemIndex }: ResendBody) => ({
  bodySha256,
  bodyBytes,
  delivery,
  parentId,
  itemIndex,
});

/** Returns which resend revived the event, the bodies to copy, and the hashes of the copies to delete. */
function applyInMemory(before: Before, resends: readonly ResentEvent[]) {
  const had = before.resentBodies ?? [];
  const bodies = new Map<string, ResendBody>();
  let revivedBy: ResentEvent | null = null;
  let event: Before = before;
  for (const resend of resends) {
    const isRevived = wasRevived(event, resend);
    if (event.bodySha256 !== resend.bodySha256) {
      const [kept, own] = isRevived ? [event, resend] : [resend, event];
      bodies.set(kept.bodySha256, bodyOf(kept));
      const hashes = { keep: kept.bodySha256, own: own.bodySha256 };
      event = { ...event, resentBodies: keptHashesAfter(event.resentBodies ?? [], hashes) };
    }
    if (!isRevived) continue;
    revivedBy = resend;
    const { mappingVersion, revivedState: state } = resend;
    event = { ...event, ...bodyOf(resend), mappingVersion, state };
  }
  const has = event.resentBodies ?? [];
  return {
    revivedBy,
    added: [...bodies.values()].filter(({ bodySha256 }) => has.includes(bodySha256)),
    gone: had.filter((hash) => !has.includes(hash)),
  };
}
