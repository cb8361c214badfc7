// The stores of a process that crashes between two calls of them.
import type { Stores } from '../../../src/store/stores.ts';

type Moment = 'before' | 'after';
/** A call of a store, and whether the process crashes before or after it. */
export type CrashPoint = {
  [S in keyof Stores]: readonly [S, keyof Stores[S] & string, Moment];
}[keyof Stores];

type Call = (...given: unknown[]) => Promise<unknown>;

const never = () => new Promise<never>(() => {});

/**
 * The stores as that process calls them: the named call never returns, nor does what waits for it. `died` resolves at the crash.
 * The point is typed loosely because `test.each` widens tuples; a call that does not exist throws.
 */
export function storesCrashingAt(
  stores: Stores,
  [store, call, moment]: readonly [keyof Stores, string, Moment],
): { stores: Stores; died: Promise<void> } {
  let crash = () => {};
  const died = new Promise<void>((resolve) => (crash = resolve));
  const target = stores[store] as unknown as Record<string, Call>;
  const real = target[call];
  if (!real) throw new Error(`The store ${store} has no ${call}`);
  const crashing = async (...given: unknown[]) => {
    if (moment === 'after') await real(...given);
    crash();
    return never();
  };
  return { stores: { ...stores, [store]: { ...target, [call]: crashing } }, died };
}
