/**
 * Whether a process can take work.
 *
 * Promises: an answer is given within its limit, also while a dependency does not answer. At most one check runs at a time. A
 * process that drains is not ready from then on.
 */
import { systemClock, withinTime } from '../clock.ts';
import type { Metrics } from '../observability/metrics.ts';

/** What keeps the process from working. `check` is a label of a metric. */
export type ReadinessFailure = {
  readonly check: 'self' | 'mongodb' | 'indexes' | 'redis';
  readonly reason: string;
};

/** Returns what keeps the dependencies from working; empty if nothing does. */
type Check = () => Promise<readonly ReadinessFailure[]>;

type ReadinessOptions = {
  /** Why the process is not ready before `begin`. */
  readonly startingReason: string;
  /** How long a result is used, in milliseconds. */
  readonly maxAgeMs?: number;
  /** How long an answer may take, in milliseconds. */
  readonly limitMs?: number;
  /** Returns monotonic milliseconds. */
  readonly now?: () => number;
};

export type Readiness = ReturnType<typeof createReadiness>;

const draining: ReadinessFailure = { check: 'self', reason: 'the process is draining' };
/** The checks of MongoDB are the ones that may fail so. */
const unchecked: ReadinessFailure = { check: 'mongodb', reason: 'the check itself failed' };

export function createReadiness({
  startingReason,
  maxAgeMs = 500,
  limitMs = 700,
  now = () => systemClock.elapsedMs(),
}: ReadinessOptions) {
  let check: Check | null = null;
  let isDraining = false;
  let last: { readonly failures: readonly ReadinessFailure[]; readonly atMs: number } | null = null;
  let running: Promise<readonly ReadinessFailure[]> | null = null;

  /** Returns the failures of the process alone; empty if it has begun and does not drain. */
  function ownFailures(): readonly ReadinessFailure[] {
    if (isDraining) return [draining];
    return check === null ? [{ check: 'self', reason: startingReason }] : [];
  }

  async function run(given: Check): Promise<readonly ReadinessFailure[]> {
    const failures = await given().catch(() => [unchecked]);
    last = { failures, atMs: now() };
    running = null;
    return failures;
  }

  return {
    ownFailures,

    /**
     * Returns the failures of the process and of what it depends on. `usableMs`: how old the result of a check may be. Never
     * rejects.
     */
    async failures(usableMs = maxAgeMs): Promise<readonly ReadinessFailure[]> {
      const own = ownFailures();
      if (own.length > 0 || check === null) return own;
      if (last && now() - last.atMs < usableMs) return last.failures;
      running ??= run(check);
      const reason = `the check takes longer than ${limitMs} ms`;
      return withinTime(limitMs, running, () => [{ check: 'mongodb', reason }]);
    },

    /** From now on the process is ready when the check finds nothing. */
    begin(given: Check): void {
      check = given;
    },

    /** From now on the process is not ready. */
    drain(): void {
      isDraining = true;
    },
  };
}

/** A check reads the indexes of every collection. */
const reportedForMs = 5_000;

/** Sets the gauge of each check whenever it is read. */
export function reportReadiness(
  gauge: Metrics['ready'],
  readiness: Pick<Readiness, 'failures'>,
  checks: readonly ReadinessFailure['check'][],
): void {
  async function collect(): Promise<void> {
    const failed = new Set((await readiness.failures(reportedForMs)).map(({ check }) => check));
    for (const check of checks) gauge.set({ check }, failed.has(check) ? 0 : 1);
  }
  // The library takes it as an option of the constructor, when no process to ask exists yet.
  Object.assign(gauge, { collect });
}
