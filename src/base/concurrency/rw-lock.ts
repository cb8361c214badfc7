/**
 * Read-write lock within a process. Exclusive work, such as an event that may crash the process, runs alone.
 *
 * Promises: exclusive work runs beside nothing else that uses the lock. Neither kind starves: after each
 * exclusive run, all waiting shared runs start together; then comes the next exclusive run.
 */
type RwLock = {
  /** Runs beside other shared work. */
  runShared<Result>(run: () => Promise<Result>): Promise<Result>;
  runExclusive<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Number of exclusive runs that wait. */
  readonly waitingExclusive: number;
};

export function createRwLock(): RwLock {
  const loners: (() => void)[] = [];
  const others: (() => void)[] = [];
  let inside = 0;
  let isTaken = false;

  function admitLoner(): void {
    const admit = loners.shift();
    isTaken = admit !== undefined;
    admit?.();
  }

  function leaveAmong(): void {
    inside -= 1;
    if (inside === 0) admitLoner();
  }

  function leaveAlone(): void {
    isTaken = false;
    if (others.length === 0) return admitLoner();
    inside = others.length;
    for (const admit of others.splice(0)) admit();
  }

  return {
    async runShared(run) {
      if (isTaken || loners.length > 0) await new Promise<void>((admit) => others.push(admit));
      else inside += 1;
      return run().finally(leaveAmong);
    },
    async runExclusive(run) {
      if (isTaken || inside > 0) await new Promise<void>((admit) => loners.push(admit));
      else isTaken = true;
      return run().finally(leaveAlone);
    },
    get waitingExclusive() {
      return loners.length;
    },
  };
}
