/** Counts the jobs in Redis, and says whether there is a place for another. */
import type { Queue } from 'bullmq';
import { highestPriority } from './backlog.ts';

/**
 * Jobs in Redis, of up to a hundred ids each. Beyond them a hint for a webhook with a backlog is dropped, and beyond twice as many
 * every hint; so are delayed hints beyond as many delayed ones. A full Redis would refuse the commands of the workers too. The
 * sweeper sends dropped hints later.
 */
const maxStored = 20_000;
/** More may be added between two counts. */
const countedEveryMs = 1_000;

type JobState = 'waiting' | 'prioritized' | 'delayed';
type Stored = { readonly waiting: number; readonly delayed: number };

export function createStoredJobs(queueOf: () => Pick<Queue, 'getJobCounts'> | undefined) {
  async function countJobs(...states: readonly JobState[]): Promise<number> {
    const counts = await queueOf()?.getJobCounts(...states);
    return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  }

  const countTakenNow = () => countJobs('waiting', 'prioritized');
  const stored = createStoredCount(async () => {
    const [waiting, delayed] = await Promise.all([countTakenNow(), countJobs('delayed')]);
    return { waiting, delayed };
  });

  return {
    /** Resolves to the number of jobs that a worker may take now. */
    countTakenNow,
    hasPlaceFor({ priority }: { readonly priority: number }, delayMs: number): boolean {
      const { waiting, delayed } = stored();
      return delayMs > 0
        ? delayed < maxStored
        : waiting < (priority > highestPriority ? 1 : 2) * maxStored;
    },
  };
}

/** Returns the last known numbers at once, and counts again when they are old. */
function createStoredCount(count: () => Promise<Stored>): () => Stored {
  let known: Stored = { waiting: 0, delayed: 0 };
  let countedAtMs = Number.NEGATIVE_INFINITY;
  return function stored() {
    const nowMs = performance.now();
    if (nowMs - countedAtMs >= countedEveryMs) {
      countedAtMs = nowMs;
      count().then(
        (found) => {
          known = found;
        },
        // Redis does not answer: hints fail as well.
        () => undefined,
      );
    }
    return known;
  };
}
