/**
 * How much work the expressions of one event may still do. One unit is one step of the interpreter (about 50 ns) or a
 * comparable piece of a function's work.
 */
export interface WorkBudget {
  remaining: number;
}

/**
 * Real mappings use 50 to 5,000 units an event. The worst expressions found over the largest payloads spend the
 * whole million in 0.1 to 0.3 s (test/unit/mapping/work-budget.test.ts has them).
 */
export const maxWorkPerEvent = 1_000_000;

export const createWorkBudget = (): WorkBudget => ({ remaining: maxWorkPerEvent });

export class WorkBudgetExceeded extends Error {
  override readonly name = 'WorkExceeded';
}

export function charge(meter: WorkBudget, units: number): void {
  meter.remaining -= units;
  if (meter.remaining < 0)
    throw new WorkBudgetExceeded('The expression does too much work on this payload.');
}
