/** Processing attempts of an event, derived from its timeline: the line of an outcome says when its attempt began. */
import type { EventRecord, TimelineEntry } from './event.ts';

/** `lost`: the worker crashed or stalled, and reported no outcome. */
export const attemptOutcomes = ['done', 'ignored', 'waiting', 'dead', 'lost'] as const;
type AttemptOutcome = (typeof attemptOutcomes)[number];

export type Attempt = {
  readonly startedAt: Date;
  readonly worker: string | null;
  readonly endedAt: Date | null;
  /** Null while the attempt is in progress. */
  readonly outcome: AttemptOutcome | null;
  readonly reason: string | null;
  /** When the retry is due. */
  readonly retryAt: Date | null;
};

/** The set of the worker expired. */
const isLost = ({ state, reason }: TimelineEntry): boolean =>
  state === 'received' ||
  (state === 'dead' && (reason === 'crashed_worker' || reason === 'attempts_spent'));

const outcomeOf = (entry: TimelineEntry): AttemptOutcome =>
  isLost(entry) ? 'lost' : (entry.state as AttemptOutcome);

export function attemptsOf({ timeline }: Pick<EventRecord, 'timeline'>): Attempt[] {
  return timeline.flatMap((entry): Attempt[] => {
    const { at, startedAt, worker = null, reason, dueAt = null, state } = entry;
    if (state === 'processing')
      return [{ startedAt: at, worker, endedAt: null, outcome: null, reason: null, retryAt: null }];
    if (!startedAt) return [];
    const outcome = outcomeOf(entry);
    const endedAt = outcome === 'lost' ? null : at;
    return [{ startedAt, worker, endedAt, outcome, reason, retryAt: dueAt }];
  });
}

/** The timeline with a line for the begin of each attempt. */
export const fullTimeline = ({ timeline }: Pick<EventRecord, 'timeline'>): TimelineEntry[] =>
  timeline.flatMap(({ startedAt, ...entry }) =>
    startedAt ? [{ at: startedAt, state: 'processing' as const, reason: null }, entry] : [entry],
  );

type Live = {
  readonly eventIds: readonly string[];
  readonly worker: string;
  readonly takenAt: Date;
};

/** Shows an open event that a live set has as `processing`. */
export function asLive<Shown extends Pick<EventRecord, '_id' | 'open' | 'state'>>(
  event: Shown & { readonly timeline?: EventRecord['timeline'] },
  sets: readonly Live[],
): Shown {
  const set = event.open ? sets.find(({ eventIds }) => eventIds.includes(event._id)) : undefined;
  if (!set) return event;
  const line = { at: set.takenAt, state: 'processing', reason: null, worker: set.worker } as const;
  return { ...event, state: 'processing', timeline: [...(event.timeline ?? []), line] };
}
