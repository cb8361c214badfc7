// How events died, read from their timelines: how often each was tried, and when workers left it behind.
import type { ObservedEvent } from './observed-state.ts';

export type DeadLetter = {
  readonly eventId: string;
  readonly at: string;
  readonly reason: string;
  /** Attempts that were made, without those that were given back. */
  readonly attempts: number;
  /** From the claim to the next sign of life, in milliseconds: whoever had it then never said what became of it. */
  readonly abandoned: readonly (readonly [from: number, until: number])[];
};

/** What the product keeps of a timeline; of a longer one the middle is lost, and what comes behind it is read. */
const maxEntries = 100;
const keptLast = 80;

type Entry = ObservedEvent['timeline'][number];

/** Where counting begins anew: recorded, revived, or sent through again. */
const isBeginning = ({ state, reason }: Entry): boolean =>
  (state === 'received' || state === 'held') && reason !== 'released' && reason !== 'resumed';

/** By a claim that found nothing left to try. */
const isByClaim = ({ state, reason }: Entry): boolean =>
  state === 'dead' && (reason === 'crashed_worker' || reason === 'attempts_spent');

/** All deaths of the event, those that it came back from included. */
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
