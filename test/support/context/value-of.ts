import type { Failure, Result } from '../../../src/base/result.ts';

/** The value of a store's result. Throws when the change failed. */
export function valueOf<Value>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value;
  throw new Error(`The change failed: ${result.reason}.`);
}
