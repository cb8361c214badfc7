/** Charges the work of a suggestion or a repair, which is done in steps of about the same size. */
import { charge, type WorkBudget } from '../src/mapping/expressions/work-budget.ts';
import { suggestStepUnits } from '../src/mapping/work-limits.ts';

/** Throws WorkBudgetExceeded. */
export const chargeStep = (budget: WorkBudget): void => charge(budget, suggestStepUnits);
