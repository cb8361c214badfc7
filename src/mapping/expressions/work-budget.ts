/** Bounds the work of the expressions and transforms of one event. */
export interface WorkBudget {
  /** In units. One unit is one step of the interpreter (about 50 ns), or work of a function that takes as long. */
  remaining: number;
}

/**
 * Real mappings use 50 to 5,000 units for each event. The most expensive known expressions spend the whole million in 0.1
 * to 0.3 s on the largest payloads (test/unit/mapping/work-budget.test.ts has them).
 */
const maxWorkPerEvent = 1_000_000;

export const createWorkBudget = (): WorkBudget => ({ remaining: maxWorkPerEvent });

export class WorkBudgetExceeded extends Error {
  override readonly name = 'WorkBudgetExceeded';
}

/** Throws WorkBudgetExceeded when the budget is spent. */
export function charge(budget: WorkBudget, units: number): void {
  budget.remaining -= units;
  if (budget.remaining < 0)
    throw new WorkBudgetExceeded('The expression does too much work on this payload.');
}
