/** Finds due events for the sweep and postpones them before any worker gets a hint. */
import type { EventRecord } from '../../domain/events/event.ts';
import { statesBefore } from '../../domain/events/lifecycle.ts';
import type { Events } from './state-change.ts';
import { msFromNow, readable } from '../db/queries.ts';

const firstPushMs = 60_000;
const maxPushMs = 600_000;

const sweepDelay = {
  $min: [maxPushMs, { $multiply: [firstPushMs, { $pow: [2, '$sweeps'] }] }],
};
const isSweepDue = { $lte: ['$nextAt', '$$NOW'] };

export type DueEvent = {
  readonly _id: string;
  readonly webhookId: string;
  /** The event may have crashed its last worker. It must be processed alone. */
  readonly alone: boolean;
};

/** The number of `received` events that a thinned sweep returns for each webhook: as many as one job takes. */
const maxThinned = 100;
/** The first page holds the oldest events. The next pages hold the oldest events of other webhooks. */
const firstPage = { limit: 1_000, maxTimeMS: 10_000 } as const;
/** This read scans every index key of the excluded webhooks, so it has a short time limit. */
const nextPage = { limit: 200, maxTimeMS: 500 } as const;
const maxNextPages = 3;

type DueEventOptions = {
  /** Limits the `received` events of each webhook: a deep queue probably has their hints already. */
  readonly thinned: boolean;
};

type Page = { readonly limit: number; readonly maxTimeMS: number };
const shown = { webhookId: 1, attempts: 1, alone: 1 } as const;
type Candidate = DueEvent & Pick<EventRecord, 'attempts'>;

/**
 * Returns the events that are due for a sweep, and postpones their next sweep, so that another sweep does not return them
 * too. One read is usually enough. When its page is full, up to three more reads exclude the webhooks found so far. An error
 * of these further reads is ignored.
 */
export async function takeDueEvents(events: Events, { thinned }: DueEventOptions) {
  const found = await findDue(events);
  // The first page was full, so that further events may be due.
  const hasMore = found.length >= firstPage.limit;
  const due = thinned ? thin(found) : found;
  if (due.length === 0) return { due: [], hasMore };
  const { matchedCount } = await events.updateMany(
    { _id: { $in: due.map(({ _id }) => _id) }, open: true, $expr: isSweepDue },
    [{ $set: { nextAt: msFromNow(sweepDelay), sweeps: { $add: ['$sweeps', 1] } } }],
  );
  return { due: matchedCount === 0 ? [] : due.map(toDueEvent), hasMore };
}

async function findDue(events: Events): Promise<Candidate[]> {
  const read = (page: Page, excluded: readonly string[]): Promise<Candidate[]> =>
    events
      .find(
        {
          open: true,
          state: statesBefore('finish'),
          ...readable,
          ...(excluded.length > 0 && { webhookId: { $nin: [...excluded] } }),
          $expr: isSweepDue,
        },
        { projection: shown, sort: { nextAt: 1 }, ...page },
      )
      .toArray() as Promise<never>;
  const found = await read(firstPage, []);
  let isFull = found.length === firstPage.limit;
  for (let n = 0; isFull && n < maxNextPages; n += 1) {
    const seen = [...new Set(found.map(({ webhookId }) => webhookId))];
    const more = await read(nextPage, seen).catch((): Candidate[] => []);
    found.push(...more);
    isFull = more.length === nextPage.limit;
  }
  return found;
}

/** Events that were tried before are always returned: their job may no longer be in the queue. */
function thin(found: readonly Candidate[]): Candidate[] {
  const counts = new Map<string, number>();
  return found.filter(({ webhookId, attempts, alone }) => {
    if (attempts > 0 || alone) return true;
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    return count <= maxThinned;
  });
}

const toDueEvent = ({ _id, webhookId, alone }: Candidate): DueEvent => ({
  _id,
  webhookId,
  alone: alone === true,
});

const maxOverdue = 100;

/** Reads by state and not by `nextAt`, because the sweep may have postponed them. */
export async function findOverdue(events: Events, ageMs: number): Promise<DueEvent[]> {
  const since = { $subtract: ['$$NOW', ageMs] };
  const where = {
    open: true as const,
    state: statesBefore('finish'),
    ...readable,
    $expr: { $lte: [{ $ifNull: ['$dueAt', '$receivedAt'] }, since] },
  };
  const options = { hint: 'due_by_webhook', limit: maxOverdue, maxTimeMS: 2_000 } as const;
  const found = await events.find(where, { projection: shown, ...options }).toArray();
  return (found as Candidate[]).map(toDueEvent);
}
