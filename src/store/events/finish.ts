/** Writes the outcomes of a set of events by one unordered bulk, each guarded by its claim's token and fence. */
import { AppError } from '../../base/errors.ts';
import { statesBefore, type StateAfter } from '../../domain/events/lifecycle.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import { collectBulkFailures } from '../db/errors.ts';
import { literal, msFromNow } from '../db/queries.ts';
import type { ClaimedEvent } from './claim.ts';
import type { Events } from './collection.ts';
import { stateChange, timelineWith } from './state-change.ts';

export type Finish = {
  readonly event: ClaimedEvent;
  readonly outcome: Outcome;
  /** The delay before the next attempt, in milliseconds. Only a retry uses it. */
  readonly delayMs: number;
};

const stateOf = ({ kind }: Outcome): StateAfter<'finish'> => {
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

/** An event of a blocked person is stored without its body and its external id. */
const isBlocked = (outcome: Outcome): boolean =>
  outcome.kind === 'ignored' && outcome.reason === 'blocked';

function stagesOf({ outcome, delayMs }: Finish) {
  const waits = outcome.kind === 'retry';
  const reason = literal(reasonOf(outcome));
  const when = waits ? msFromNow(delayMs) : null;
  return [
    {
      $set: {
        ...stateChange('finish', stateOf(outcome), reason),
        ...(waits && { timeline: timelineWith('waiting', reason, { dueAt: msFromNow(delayMs) }) }),
        reason,
        dueAt: when,
        nextAt: when,
        finishedAt: waits ? null : '$$NOW',
        ...seenBy(outcome),
        ...(isBlocked(outcome) && { erased: true, delivery: null, externalId: null }),
      },
    },
    { $unset: waits ? ['claimToken'] : ['claimToken', 'open', 'alone'] },
  ];
}

/**
 * Returns the ids of the events whose outcome was not written, because their claim was lost. Throws `unavailable` when an
 * operation failed.
 */
export function finishEvents(events: Events) {
  return async function finish(finishes: readonly Finish[]): Promise<ReadonlySet<string>> {
    if (finishes.length === 0) return new Set();
    let matched = 0;
    const failures = await collectBulkFailures(async () => {
      const result = await events.bulkWrite(
        finishes.map((entry) => ({
          updateOne: {
            filter: {
              _id: entry.event._id,
              claimToken: entry.event.claimToken,
              fence: entry.event.fence,
              state: statesBefore('finish'),
            },
            update: stagesOf(entry),
          },
        })),
        { ordered: false },
      );
      matched = result.matchedCount;
    });
    // A repeated call does not write an outcome twice: the first write ended the claim.
    if (failures.size > 0) throw new AppError('unavailable', { retryAfterMs: 2_000 });
    return matched === finishes.length ? new Set() : lostOf(events, finishes);
  };
}

/** The result of a bulk has totals only. A claim is lost when the fence has changed or the event no longer exists. */
async function lostOf(events: Events, finishes: readonly Finish[]): Promise<ReadonlySet<string>> {
  const ids = finishes.map(({ event }) => event._id);
  const found = await events
    .find({ _id: { $in: ids } }, { projection: { fence: 1, state: 1 } })
    .toArray();
  const now = new Map(found.map((event) => [event._id, event]));
  const isLost = ({ event }: Finish): boolean => {
    const { fence, state } = now.get(event._id) ?? {};
    return fence !== event.fence || state === 'received';
  };
  return new Set(finishes.filter(isLost).map(({ event }) => event._id));
}
