/**
 * Whether a process can take work.
 *
 * Promises: an answer is given within its limit, also while a dependency does not answer. At most one check of each
 * dependency runs at a time. A process that drains is not ready from then on.
 */
import { systemClock, withinTime } from '../clock.ts';
import type { Metrics } from '../observability/metrics.ts';

/** What keeps the process from working. `check` is a label of a metric. */
export type ReadinessFailure = {
  readonly check: 'self' | 'mongodb' | 'indexes' | 'redis';
  readonly reason: string;
};

type Dependency = {
  readonly name: 'mongodb' | 'redis';
  /** Returns what keeps it from working; empty if nothing does. */
  readonly findFailures: () => Promise<readonly ReadinessFailure[]>;
};

type ReadinessOptions = {
  /** Returns why the process is not ready before `begin`. */
  readonly startingReason: () => string;
  /** How long a result is used, in milliseconds. */
  readonly maxAgeMs?: number;
  /** How long an answer may take, in milliseconds. */
  readonly limitMs?: number;
  /** Returns monotonic milliseconds. */
  readonly now?: () => number;
};

export type Readiness = ReturnType<typeof createReadiness>;

const draining: ReadinessFailure = { check: 'self', reason: 'the process is draining' };
const labels = { mongodb: 'MongoDB', redis: 'Redis' } as const;

export function createReadiness({
  startingReason,
  maxAgeMs = 500,
  limitMs = 700,
  now = () => systemClock.elapsedMs(),
}: ReadinessOptions) {
  let checks: readonly ReturnType<typeof createCheck>[] | null = null;
  let isDraining = false;

  /** Returns the failures of the process alone; empty if it has begun and does not drain. */
  function ownFailures(): readonly ReadinessFailure[] {
    if (isDraining) return [draining];
    return checks === null ? [{ check: 'self', reason: startingReason() }] : [];
  }

  return {
    ownFailures,

    /**
     * Returns the failures of the process and of what it depends on. `usableMs`: how old the result of a check may be. Never
     * rejects.
     */
    async failures(usableMs = maxAgeMs): Promise<readonly ReadinessFailure[]> {
      const own = ownFailures();
      if (own.length > 0 || checks === null) return own;
      return (await Promise.all(checks.map((check) => check.failures(usableMs)))).flat();
    },

    /** From now on the process is ready when no dependency has a failure. */
    begin(dependencies: readonly Dependency[]): void {
      checks = dependencies.map((dependency) => createCheck(dependency, { limitMs, now }));
    },

    /** From now on the process is not ready. */
    drain(): void {
      isDraining = true;
    },
  };
}

type CheckOptions = { readonly limitMs: number; readonly now: () => number };

function createCheck({ name, findFailures }: Dependency, { limitMs, now }: CheckOptions) {
  let last: { readonly failures: readonly ReadinessFailure[]; readonly atMs: number } | null = null;
  let running: Promise<readonly ReadinessFailure[]> | null = null;
  const failed: ReadinessFailure = { check: name, reason: `the check of ${labels[name]} failed` };
  const late: ReadinessFailure = { check: name, reason: `${labels[name]} does not answer` };

  async function run(): Promise<readonly ReadinessFailure[]> {
    const failures = await findFailures().catch(() => [failed]);
    last = { failures, atMs: now() };
    running = null;
    return failures;
  }

  return {
    async failures(usableMs: number): Promise<readonly ReadinessFailure[]> {
      if (last && now() - last.atMs < usableMs) return last.failures;
      running ??= run();
      return withinTime(limitMs, running, () => [late]);
    },
  };
}

/** A check asks MongoDB, and in workers Redis. */
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
