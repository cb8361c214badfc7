/** Ends a computation that takes too long, from a thread of Node's own. */
import { createContext, Script } from 'node:vm';

/** The computation took longer than it may. What it changed outside of itself stays as it was at that moment. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** Runs synchronous work. Throws DeadlineExceeded, or what the work throws. */
export type RunWithDeadline = <Result>(work: () => Result) => Result;

/** For work that needs no deadline. */
export const runWithoutDeadline: RunWithDeadline = (work) => work();

/**
 * Returns a function that ends work after `limitMs`. Work that had the processor for less than half of that is run once more: the
 * process was held up, and not the work too long. A call costs about 0.1 ms, for the thread that waits.
 */
export function createDeadline(limitMs: number): RunWithDeadline {
  const shared: { work: () => void } = { work: () => undefined };
  const context = createContext(shared);
  const script = new Script('work()');

  /** Throws DeadlineExceeded, or what the work throws. */
  function run(mayRepeat: boolean): void {
    const sinceMs = cpuMs();
    try {
      script.runInContext(context, { timeout: limitMs });
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw error;
      if (mayRepeat && cpuMs() - sinceMs < limitMs / 2) return run(false);
      throw new DeadlineExceeded(`The work took longer than ${limitMs} ms.`, { cause: error });
    }
  }

  return function runWithDeadline<Result>(work: () => Result): Result {
    const outcome: { result?: Result } = {};
    shared.work = () => void (outcome.result = work());
    try {
      run(true);
    } finally {
      shared.work = () => undefined;
    }
    return outcome.result as Result;
  };
}

/** The processor time of this process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
