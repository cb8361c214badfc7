/**
 * A gate for work that must have a process to itself, such as what may end it.
 *
 * Promises: what is alone runs beside nothing else that came through the gate; neither kind starves behind a long line
 * of the other: after one that was alone all that gathered meanwhile go in together, then the next one that is alone.
 */
export type RwLock = {
  /** Beside others of its kind. */
  runShared<Result>(run: () => Promise<Result>): Promise<Result>;
  runExclusive<Result>(run: () => Promise<Result>): Promise<Result>;
  /** How many wait to be alone. */
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
