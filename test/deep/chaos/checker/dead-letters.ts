// Reads from the timelines of events how each became dead: its attempts, and the leases that expired.
import type { ObservedEvent } from './observed-state.ts';

export type DeadLetter = {
  readonly eventId: string;
  readonly at: string;
  readonly reason: string;
  /** Attempts without the released ones. */
  readonly attempts: number;
  /** Attempts without a result: from the claim to the next timeline entry, in milliseconds. */
  readonly abandoned: readonly (readonly [from: number, until: number])[];
};

/** The product keeps this many timeline entries. A longer timeline loses its middle; the entries after it are read. */
const maxEntries = 100;
const keptLast = 80;

type Entry = ObservedEvent['timeline'][number];

/** Whether the count of attempts restarts: the event was stored, replayed or remapped. */
const isBeginning = ({ state, reason }: Entry): boolean =>
  (state === 'received' || state === 'held') && reason !== 'released' && reason !== 'resumed';

/** Whether a claim ended the event because no attempt was left. */
const isByClaim = ({ state, reason }: Entry): boolean =>
  state === 'dead' && (reason === 'crashed_worker' || reason === 'attempts_spent');

/** All dead letters of the event, those that were replayed included. */
export function deadLettersOf({ id: eventId, timeline: kept }: ObservedEvent): DeadLetter[] {
  const deaths: DeadLetter[] = [];
  let isWhole = kept.length < maxEntries;
  const timeline = isWhole ? kept : kept.slice(-keptLast);
  let attempts = 0;
  let abandoned: [number, number][] = [];
  for (const [index, entry] of timeline.entries()) {
    const next = timeline[index + 1];
    if (isBeginning(entry)) {
      isWhole = true;
      attempts = 0;
      abandoned = [];
    } else if (entry.reason === 'released') attempts -= 1;
    else if (entry.state === 'processing') {
      attempts += 1;
      if (next && (next.state === 'processing' || isByClaim(next)))
        abandoned.push([Date.parse(entry.at), Date.parse(next.at)]);
    } else if (entry.state === 'dead' && isWhole) {
      deaths.push({ eventId, at: entry.at, reason: entry.reason ?? '', attempts, abandoned });
    }
  }
  return deaths;
}
