/** Counts the work of mapping an event, compiling a mapping, or serving a request, and ends it at a bound. */
import { maxWorkPerEvent } from '../work-limits.ts';

export interface WorkBudget {
  /** In units; see work-limits.ts. */
  remaining: number;
}

/** Without `units`, the budget of one event. */
export const createWorkBudget = (units: number = maxWorkPerEvent): WorkBudget => ({
  remaining: units,
});

export class WorkBudgetExceeded extends Error {
  override readonly name = 'WorkBudgetExceeded';
}

/** Throws WorkBudgetExceeded when the budget is spent. */
export function charge(budget: WorkBudget, units: number): void {
  budget.remaining -= units;
  if (budget.remaining < 0) throw new WorkBudgetExceeded('The work budget is spent.');
}

// A text of a result is copied, written as JSON and hashed, at about a nanosecond a character.
const charactersPerUnit = 64;
// Listing the keys of an object takes four times as long where it has thousands.
const wideObject = 1_000;

/**
 * Charges a value by its size as a tree: each node and each character counts as often as the value shows it. An expression
 * can repeat a part many times without copying it (each `[@, @] |` doubles it), but writing, copying or walking
 * the result takes every repetition. Throws WorkBudgetExceeded.
 */
export function chargeTree(budget: WorkBudget, value: unknown): void {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string') charge(budget, 1 + next.length / charactersPerUnit);
    else if (typeof next !== 'object' || next === null) charge(budget, 1);
    else chargeParts(budget, next, stack);
  }
}

/** Charges the parts before they are listed, so that the list is bounded too. */
function chargeParts(budget: WorkBudget, value: object, stack: unknown[]): void {
  if (Array.isArray(value)) {
    charge(budget, 1 + value.length / 4);
    for (const each of value) stack.push(each);
    return;
  }
  const entries = Object.entries(value);
  charge(budget, 1 + entries.length * (entries.length > wideObject ? 4 : 1));
  for (const [key, inner] of entries) {
    charge(budget, key.length / charactersPerUnit);
    stack.push(inner);
  }
}
