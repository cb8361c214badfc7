/** Finds due events for the sweep and postpones them before any worker gets a hint. */
import type { EventState } from '../../domain/events/event.ts';
import { statesBefore } from '../../domain/events/lifecycle.ts';
import { majorityRead, majorityWrite } from '../db/connection.ts';
import type { Events } from './collection.ts';
import { msFromNow } from '../db/expressions.ts';

const firstPushMs = 60_000;
const maxPushMs = 600_000;

const nextLook = {
  $min: [maxPushMs, { $multiply: [firstPushMs, { $pow: [2, '$sweeps'] }] }],
};
const isLookedAt = { $lte: ['$nextAt', '$$NOW'] };

export type DueEvent = {
  readonly _id: string;
  readonly webhookId: string;
  /** It may have ended the worker that had it: nothing else goes with it. */
  readonly alone: boolean;
};

/** Of what each webhook has received, one job's worth, where the queue is deep. */
const maxThinned = 100;
/** The oldest of all, then the oldest of webhooks that were not seen yet. */
const firstPage = { limit: 1_000, maxTimeMS: 10_000 } as const;
/** Walks past every key of those that were seen, so its time is what bounds it. */
const nextPage = { limit: 200, maxTimeMS: 500 } as const;
const maxNextPages = 3;

type DueEventOptions = {
  /** Takes only some of what a deep queue most likely knows of. */
  readonly thinned: boolean;
};

type Page = { readonly limit: number; readonly maxTimeMS: number };
type Look = DueEvent & { readonly state: EventState };

/**
 * Returns events that are due for a look, each pushed on, so that no one else looks at once. One read finds those of a
 * quiet system; only when it comes back full, up to three more look past the webhooks that filled it. Those may fail: what
 * was found before is offered all the same.
 */
export function takeDueEvents(events: Events) {
  const read = (page: Page, unlike: readonly string[]): Promise<Look[]> =>
    events
      .find(
        {
          open: true,
          state: statesBefore('claim'),
          ...(unlike.length > 0 && { webhookId: { $nin: [...unlike] } }),
          $expr: isLookedAt,
        },
        {
          projection: { webhookId: 1, state: 1, alone: 1 },
          sort: { nextAt: 1 },
          ...page,
          ...majorityRead,
        },
      )
      .toArray() as Promise<never>;

  async function look(): Promise<Look[]> {
    const found = await read(firstPage, []);
    let isFull = found.length === firstPage.limit;
    for (let n = 0; isFull && n < maxNextPages; n += 1) {
      const seen = [...new Set(found.map(({ webhookId }) => webhookId))];
      const more = await read(nextPage, seen).catch((): Look[] => []);
      found.push(...more);
      isFull = more.length === nextPage.limit;
    }
    return found;
  }

  return async function push({ thinned }: DueEventOptions): Promise<DueEvent[]> {
    const found = await look();
    const due = thinned ? thin(found) : found;
    if (due.length === 0) return [];
    const { matchedCount } = await events.updateMany(
      { _id: { $in: due.map(({ _id }) => _id) }, open: true, $expr: isLookedAt },
      [{ $set: { nextAt: msFromNow(nextLook), sweeps: { $add: ['$sweeps', 1] } } }],
      majorityWrite,
    );
    return matchedCount === 0 ? [] : due.map(offerOf);
  };
}

/** What a worker had may have left the queue with its job, and is never passed over. */
function thin(found: readonly Look[]): Look[] {
  const counts = new Map<string, number>();
  return found.filter(({ webhookId, state, alone }) => {
    if (state !== 'received' || alone) return true;
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    return count <= maxThinned;
  });
}

const offerOf = ({ _id, webhookId, state, alone }: Look): DueEvent => ({
  _id,
  webhookId,
  alone: alone === true || state === 'processing',
});

const maxOverdue = 100;

/**
 * Some events that could have been claimed for that long, and were not. Looked for by their state, because the sweeper
 * may have pushed them on.
 */
export function findOverdue(events: Events) {
  return async function find(ageMs: number): Promise<DueEvent[]> {
    const since = { $subtract: ['$$NOW', ageMs] };
    const found = (await events
      .find(
        {
          state: statesBefore('claim'),
          $expr: { $lte: [{ $ifNull: ['$dueAt', '$receivedAt'] }, since] },
        },
        {
          projection: { webhookId: 1, state: 1, alone: 1 },
          hint: 'by_state',
          limit: maxOverdue,
          maxTimeMS: 2_000,
        },
      )
      .toArray()) as Look[];
    return found.map(offerOf);
  };
}
