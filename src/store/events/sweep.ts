/** What the sweeper needs: events whose time has come, pushed on before anybody is told of them. */
import type { EventState } from '../../domain/event.ts';
import { startsFrom } from '../../domain/lifecycle.ts';
import { decisive, durable } from '../connection.ts';
import type { Events } from './collection.ts';
import { inMs } from './expressions.ts';

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

/** A webhook with so many due events is a crowd. */
const crowd = 100;
/** The oldest of all, then the oldest of webhooks that were not seen yet. */
const pageSizes = [1_000, 200, 200, 200] as const;

export type PushTerms = {
  /** Leaves crowds alone: what a deep queue already knows of. */
  readonly withoutCrowds: boolean;
};

type Look = DueEvent & { readonly state: EventState };

/**
 * Returns events that are due for a look, each pushed on, so that no one else looks at once. One read finds those of a
 * quiet system; only when it comes back full, up to three more look past the webhooks that filled it.
 */
export function pushDue(events: Events) {
  const read = (limit: number, unlike: readonly string[]): Promise<Look[]> =>
    events
      .find(
        {
          open: true,
          state: startsFrom('claim'),
          ...(unlike.length > 0 && { webhookId: { $nin: [...unlike] } }),
          $expr: isLookedAt,
        },
        {
          projection: { webhookId: 1, state: 1, alone: 1 },
          sort: { nextAt: 1 },
          limit,
          maxTimeMS: 10_000,
          ...decisive,
        },
      )
      .toArray() as Promise<never>;

  async function look(): Promise<Look[]> {
    const found: Look[] = [];
    for (const size of pageSizes) {
      const page = await read(size, [...new Set(found.map(({ webhookId }) => webhookId))]);
      found.push(...page);
      if (page.length < size) break;
    }
    return found;
  }

  return async function push({ withoutCrowds }: PushTerms): Promise<DueEvent[]> {
    const found = await look();
    const due = withoutCrowds ? apartFromCrowds(found) : found;
    if (due.length === 0) return [];
    const { matchedCount } = await events.updateMany(
      { _id: { $in: due.map(({ _id }) => _id) }, open: true, $expr: isLookedAt },
      [{ $set: { nextAt: inMs(nextLook), sweeps: { $add: ['$sweeps', 1] } } }],
      durable,
    );
    return matchedCount === 0 ? [] : due.map(offerOf);
  };
}

function apartFromCrowds(found: readonly Look[]): Look[] {
  const counts = new Map<string, number>();
  for (const { webhookId } of found) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  return found.filter(({ webhookId }) => (counts.get(webhookId) ?? 0) < crowd);
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
          state: startsFrom('claim'),
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
