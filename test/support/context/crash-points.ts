// Stores as a process sees them that dies in the middle of its work.
import type { Stores } from '../../../src/store/stores.ts';

export type CrashPoint = readonly [keyof Stores, string, 'before' | 'after'];

const never = () => new Promise<never>(() => {});

/** The stores as a process sees them that dies right before or right after the named call. */
export function storesCrashingAt(
  stores: Stores,
  [store, call, moment]: CrashPoint,
): { stores: Stores; died: Promise<void> } {
  let die = () => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  const target = stores[store] as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  const dying = async (...given: unknown[]) => {
    if (moment === 'after') await target[call]?.(...given);
    die();
    return never();
  };
  return { stores: { ...stores, [store]: { ...target, [call]: dying } }, died };
}
