/** Processing attempts of an event, derived from its timeline. */
import { timelineKept, type EventRecord, type TimelineEntry } from './event.ts';

/** `lost`: the lease expired without an outcome. `released`: the worker returned the event unprocessed. */
export const attemptOutcomes = [
  'done',
  'ignored',
  'waiting',
  'dead',
  'discarded',
  'released',
  'lost',
] as const;
type AttemptOutcome = (typeof attemptOutcomes)[number];

export type Attempt = {
  readonly startedAt: Date;
  readonly worker: string | null;
  readonly endedAt: Date | null;
  /** Null while the attempt is in progress, and where the timeline was truncated. */
  readonly outcome: AttemptOutcome | null;
  readonly reason: string | null;
  /** When the retry is due. */
  readonly retryAt: Date | null;
};

/** The next claim found no attempts left. */
const isEndedByClaim = ({ state, reason }: TimelineEntry): boolean =>
  state === 'dead' && (reason === 'crashed_worker' || reason === 'attempts_spent');

function outcomeOf(next: TimelineEntry): AttemptOutcome {
  if (next.state === 'processing' || isEndedByClaim(next)) return 'lost';
  if (next.state === 'received' || next.state === 'held') return 'released';
  return next.state;
}

export function attemptsOf({ timeline }: Pick<EventRecord, 'timeline'>): Attempt[] {
  const isCut = timeline.length >= timelineKept.first + timelineKept.last;
  return timeline.flatMap((entry, index) => {
    if (entry.state !== 'processing') return [];
    const isBeforeGap = isCut && index === timelineKept.first - 1;
    const next = isBeforeGap ? undefined : timeline[index + 1];
    const outcome = next ? outcomeOf(next) : null;
    return [
      {
        startedAt: entry.at,
        worker: entry.worker ?? null,
        endedAt: next && outcome !== 'lost' ? next.at : null,
        outcome,
        reason: outcome === 'released' ? null : (next?.reason ?? null),
        retryAt: next?.dueAt ?? null,
      },
    ];
  });
}
