/**
 * Read-write lock within a process. Exclusive work, such as an event that may crash the process, runs alone.
 *
 * Promises: exclusive work runs beside nothing else that uses the lock. Neither kind starves: after each
 * exclusive run, all waiting shared runs start together; then comes the next exclusive run.
 */
export function createRwLock() {
  const loners: (() => void)[] = [];
  const others: (() => void)[] = [];
  let sharedCount = 0;
  let isExclusive = false;

  function admitExclusive(): void {
    const admit = loners.shift();
    isExclusive = admit !== undefined;
    admit?.();
  }

  function releaseShared(): void {
    sharedCount -= 1;
    if (sharedCount === 0) admitExclusive();
  }

  function releaseExclusive(): void {
    isExclusive = false;
    if (others.length === 0) return admitExclusive();
    sharedCount = others.length;
    for (const admit of others.splice(0)) admit();
  }

  return {
    /** Runs beside other shared work. */
    async runShared<Result>(run: () => Promise<Result>): Promise<Result> {
      if (isExclusive || loners.length > 0) await new Promise<void>((admit) => others.push(admit));
      else sharedCount += 1;
      return run().finally(releaseShared);
    },
    async runExclusive<Result>(run: () => Promise<Result>): Promise<Result> {
      if (isExclusive || sharedCount > 0) await new Promise<void>((admit) => loners.push(admit));
      else isExclusive = true;
      return run().finally(releaseExclusive);
    },
    /** Number of exclusive runs that wait. */
    get waitingExclusive(): number {
      return loners.length;
    },
  };
}
