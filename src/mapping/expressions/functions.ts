import { charge, chargeTree, type WorkBudget } from './work-budget.ts';

/**
 * The functions that an expression may call. Left out are functions whose one call can take unbounded work or memory, and
 * functions that no mapping needs: `pad_left`, `pad_right` (any width), `replace` (any count), `trim*` (a quadratic
 * pattern: use the `trim` transform), `group_by` (fails on a key such as `constructor`), `from_items`.
 */
export const allowedFunctions: ReadonlySet<string> = new Set(
  (
    'abs avg ceil contains ends_with find_first find_last floor items join keys length lower map max max_by merge ' +
    'min min_by not_null reverse sort sort_by split starts_with sum to_array to_number to_string type upper values zip'
  ).split(' '),
);

// Characters that a vectorised scan reads in the time of one step of the interpreter.
const charactersPerUnit = 8;

/** Charges the cost of a call before it runs, from its evaluated arguments. */
export function chargeCall(budget: WorkBudget, name: string, args: readonly unknown[]): void {
  for (const arg of args) charge(budget, sizeOf(arg, name));
  const [first, second] = args;
  if (name === 'join' && typeof first === 'string' && Array.isArray(second)) {
    charge(budget, (first.length * second.length + textsIn(second)) / charactersPerUnit);
  }
  if (isSearch(name) && typeof first === 'string' && typeof second === 'string') {
    charge(budget, (first.length * Math.max(second.length, charactersPerUnit)) / 64);
  }
  if (name === 'sort' && Array.isArray(first)) {
    charge(budget, (first.length + textsIn(first)) * 2 * Math.log2(first.length + 1));
  }
  if (name === 'to_string') chargeText(budget, first);
  if (name === 'zip' && Array.isArray(first)) charge(budget, first.length * args.length);
}

/** Charges writing a value as JSON. */
function chargeText(budget: WorkBudget, value: unknown): void {
  if (typeof value === 'string') charge(budget, value.length / charactersPerUnit);
  else chargeTree(budget, value);
}

const isSearch = (name: string): boolean =>
  name === 'contains' || name === 'split' || name === 'find_first' || name === 'find_last';

function sizeOf(arg: unknown, name: string): number {
  if (typeof arg === 'string') {
    const byCodePoint = name === 'length' || name === 'reverse' || name === 'split';
    return arg.length / (byCodePoint ? 1 : charactersPerUnit);
  }
  if (Array.isArray(arg)) return arg.length + (name === 'max' || name === 'min' ? textsIn(arg) : 0);
  if (!isObjectFunction(name) || typeof arg !== 'object' || arg === null) return 0;
  // Copying a key into another object takes about eight steps.
  return Object.keys(arg).length * (name === 'merge' ? 8 : 2);
}

const isObjectFunction = (name: string): boolean =>
  name === 'keys' || name === 'values' || name === 'items' || name === 'merge' || name === 'length';

function textsIn(array: readonly unknown[]): number {
  let characters = 0;
  for (const each of array) if (typeof each === 'string') characters += each.length;
  return characters;
}
