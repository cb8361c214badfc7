/**
 * Cooperative priority within a process. Long work calls `yieldTurn` between its steps, and waits there while urgent work is in
 * progress.
 *
 * Promises: a step that has begun is not interrupted. Long work does not starve: each yield ends after `maxYieldMs`, also
 * while urgent work goes on.
 */
export function createPriorityYield(maxYieldMs: number) {
  const waiting = new Set<() => void>();
  let urgent = 0;

  function release(): void {
    urgent -= 1;
    if (urgent > 0) return;
    for (const resume of waiting) resume();
  }

  return {
    /** Runs at once. Until it ends, `yieldTurn` waits. */
    async runUrgent<Result>(run: () => Promise<Result>): Promise<Result> {
      urgent += 1;
      return run().finally(release);
    },
    async yieldTurn(): Promise<void> {
      if (urgent === 0) return;
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timer);
          waiting.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, maxYieldMs);
        waiting.add(resume);
      });
    },
  };
}
