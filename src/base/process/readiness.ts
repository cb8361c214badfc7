/**
 * Whether a process can take work.
 *
 * Promises: an answer takes no longer than its limit, whatever the dependencies do, and causes at most one check at a time. A
 * process that drains is not ready from then on.
 */
import { systemClock } from '../clock.ts';

/** Returns the reasons why a dependency keeps the process from working; empty if none does. */
type Check = () => Promise<readonly string[]>;

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

const drainingReason = 'the process is draining';

export function createReadiness({
  startingReason,
  maxAgeMs = 500,
  limitMs = 700,
  now = () => systemClock.elapsedMs(),
}: ReadinessOptions) {
  let check: Check | null = null;
  let isDraining = false;
  let last: { readonly reasons: readonly string[]; readonly atMs: number } | null = null;
  let running: Promise<readonly string[]> | null = null;

  /** Returns the reasons of the process alone; empty if it has begun and does not drain. */
  function ownFailures(): readonly string[] {
    if (isDraining) return [drainingReason];
    return check === null ? [startingReason] : [];
  }

  async function run(given: Check): Promise<readonly string[]> {
    const reasons = await given().catch(() => ['the check itself failed']);
    last = { reasons, atMs: now() };
    running = null;
    return reasons;
  }

  return {
    ownFailures,

    /** Returns the reasons of the process and of what it depends on. Never rejects. */
    async failures(): Promise<readonly string[]> {
      const own = ownFailures();
      if (own.length > 0 || check === null) return own;
      if (last && now() - last.atMs < maxAgeMs) return last.reasons;
      running ??= run(check);
      return withinLimit(running, limitMs);
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

async function withinLimit(
  running: Promise<readonly string[]>,
  limitMs: number,
): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([`the check takes longer than ${limitMs} ms`]), limitMs);
  });
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}
