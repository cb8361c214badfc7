/**
 * Gathers what senders send, so that drift can be noticed: counted in memory, written every ten seconds in one bulk.
 *
 * Promises: processing never waits for it and never fails by it; its memory is bounded; of a flood only a part is looked
 * at, so that looking costs next to nothing.
 * It is a picture, not a book: a process that dies takes what it has not written yet along, and an event whose set is
 * tried again apart is counted twice. Retries and replays of an event are not counted.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { hourMs, keptDays } from '../domain/drift.ts';
import type { EventRecord } from '../domain/event.ts';
import type { DriftStore } from '../store/drift.ts';
import { createTally, type Sighting } from './tally.ts';

export type Observe = (sighting: Sighting) => void;

export type Gatherer = {
  /** Never throws. */
  readonly observe: Observe;
  /** Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type GathererDeps = {
  readonly drift: Pick<DriftStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Events of one webhook that are looked at in a second, by this process. */
  readonly perSecond?: number;
  readonly intervalMs?: number;
};

const defaults = { perSecond: 20, intervalMs: 10_000 };
// A large body counts as several events: looking at 1 MB may take 15 ms, at a lead it takes 10 µs.
const bytesPerEvent = 16_384;

export function startGatherer(deps: GathererDeps): Gatherer {
  const { drift, clock, logger, perSecond, intervalMs } = { ...defaults, ...deps };
  const tally = createTally();
  let second = 0;
  let seenInSecond = new Map<string, number>();
  let flushing: Promise<void> = Promise.resolve();

  function isWanted(event: EventRecord): boolean {
    const { webhookId, attempts, generation, receivedAt, bodyBytes } = event;
    if (attempts > 1 || generation > 0) return false;
    if (+clock.now() - +receivedAt > keptDays * 24 * hourMs) return false;
    const now = Math.floor(clock.elapsedMs() / 1_000);
    if (now !== second) {
      second = now;
      seenInSecond = new Map();
    }
    const seen = seenInSecond.get(webhookId) ?? 0;
    seenInSecond.set(webhookId, seen + 1 + Math.floor(bodyBytes / bytesPerEvent));
    return seen < perSecond;
  }

  async function write(): Promise<void> {
    const buckets = tally.take();
    try {
      await drift.add(buckets);
    } catch (err) {
      logger.warn({ err, buckets: buckets.length }, 'drift.not_saved');
    }
  }

  /** One after the other, so that a slow database does not get several at once. */
  const flush = (): Promise<void> => (flushing = flushing.then(write));
  const timer = setInterval(() => void flush(), intervalMs);
  timer.unref();

  return {
    observe(sighting) {
      try {
        if (isWanted(sighting.event)) tally.count(sighting);
      } catch (err) {
        logger.error({ err, eventId: sighting.event._id }, 'drift.unforeseen');
      }
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}
