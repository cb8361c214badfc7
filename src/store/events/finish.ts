/** Finishing: one unordered bulk writes every outcome of a set, each guarded by its claim's token and fence. */
import type { EventState } from '../../domain/event.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { durable } from '../connection.ts';
import { settleBulk } from '../errors.ts';
import type { ClaimedEvent } from './claim.ts';
import type { Events } from './collection.ts';
import { inMs, literal, noted } from './expressions.ts';

export type Finish = {
  readonly event: ClaimedEvent;
  readonly outcome: Outcome;
  /** Only for a retry: how long to wait. */
  readonly delayMs: number;
};

const stateOf = ({ kind }: Outcome): EventState => {
  if (kind === 'retry') return 'waiting';
  return kind === 'split' ? 'done' : kind;
};

const reasonOf = (outcome: Outcome): string | null => ('reason' in outcome ? outcome.reason : null);

const seenBy = (outcome: Outcome) => ({
  ...('eventType' in outcome && { eventType: literal(outcome.eventType ?? null) }),
  ...('eventDate' in outcome && { eventDate: outcome.eventDate ?? null }),
  ...('problems' in outcome && { problems: literal(outcome.problems ?? []) }),
  ...(outcome.kind === 'done' && { effects: literal(outcome.effects) }),
  ...(outcome.kind === 'split' && { items: outcome.items }),
});

function stagesOf({ outcome, delayMs }: Finish) {
  const waits = outcome.kind === 'retry';
  const state = stateOf(outcome);
  const reason = literal(reasonOf(outcome));
  const when = waits ? inMs(delayMs) : null;
  return [
    {
      $set: {
        state,
        reason,
        timeline: noted(state, reason),
        dueAt: when,
        nextAt: when,
        finishedAt: waits ? null : '$$NOW',
        ...seenBy(outcome),
      },
    },
    { $unset: waits ? ['claimToken'] : ['claimToken', 'open'] },
  ];
}

/** Returns how many outcomes were written; the others belong to another worker by now. */
export function finishEvents(events: Events) {
  return async function finish(finishes: readonly Finish[]): Promise<number> {
    let matched = 0;
    await settleBulk(async () => {
      const result = await events.bulkWrite(
        finishes.map((entry) => ({
          updateOne: {
            filter: {
              _id: entry.event._id,
              claimToken: entry.event.claimToken,
              fence: entry.event.fence,
            },
            update: stagesOf(entry),
          },
        })),
        { ordered: false, ...durable },
      );
      matched = result.matchedCount;
    });
    return matched;
  };
}
