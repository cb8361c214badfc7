// Reads from the timelines of events how each became dead: its attempts, and the sets that expired.
import type { ObservedEvent } from './observed-state.ts';

export type DeadLetter = {
  readonly eventId: string;
  readonly at: string;
  readonly reason: string;
  readonly attempts: number;
  /** Attempts without a result: from their start to the end of the set, in milliseconds. */
  readonly abandoned: readonly (readonly [from: number, until: number])[];
};

/** The product keeps this many entries. A longer timeline loses its middle; the entries after it are read. */
const maxEntries = 100;
const keptLast = 80;

type Entry = ObservedEvent['timeline'][number];

const isStart = ({ state }: Entry): boolean => state === 'processing';

/** Whether the count of attempts restarts: the event was stored, replayed or remapped. */
const isBeginning = ({ state, reason }: Entry): boolean =>
  (state === 'received' || state === 'held') && reason !== 'lost' && reason !== 'resumed';

/** Whether the set of the attempt expired. */
const isByExpiry = ({ state, reason }: Entry): boolean =>
  (state === 'received' && reason === 'lost') ||
  (state === 'dead' && (reason === 'crashed_worker' || reason === 'attempts_spent'));

/** The entries after the gap, if there is one. The starts of attempts are derived, and none is stored. */
function afterGap(kept: readonly Entry[]): { timeline: readonly Entry[]; isWhole: boolean } {
  const stored = kept.filter((entry) => !isStart(entry));
  if (stored.length < maxEntries) return { timeline: kept, isWhole: true };
  const first = kept.indexOf(stored.at(-keptLast) as Entry);
  return { timeline: kept.slice(first), isWhole: false };
}

/** All dead letters of the event, those that were replayed included. */
export function deadLettersOf({ id: eventId, timeline: kept }: ObservedEvent): DeadLetter[] {
  const deaths: DeadLetter[] = [];
  const { timeline, ...gap } = afterGap(kept);
  let { isWhole } = gap;
  let attempts = 0;
  let abandoned: [number, number][] = [];
  for (const [index, entry] of timeline.entries()) {
    const next = timeline[index + 1];
    if (isBeginning(entry)) {
      isWhole = true;
      attempts = 0;
      abandoned = [];
    } else if (isStart(entry)) {
      attempts += 1;
      if (next && isByExpiry(next)) abandoned.push([Date.parse(entry.at), Date.parse(next.at)]);
    } else if (entry.state === 'dead' && isWhole) {
      deaths.push({ eventId, at: entry.at, reason: entry.reason ?? '', attempts, abandoned });
    }
  }
  return deaths;
}
