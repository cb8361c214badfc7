/** Finds the flag that marks the receiver's own people in a list of persons, such as the organiser of a meeting. */
import { isJsonObject } from './keyed-list.ts';

const hostFlag =
  /^(?:is_?|eh_?|es_?)?(?:organi[sz]er|organizador|host|anfitriao|staff|internal|agent|bot|self|me)$/i;

/** Returns the flag and the first person without it; null when no person has such a flag. */
export function findHostFlag(list: readonly unknown[]): { flag: string; first: unknown } | null {
  const [firstItem] = list;
  const flag = isJsonObject(firstItem)
    ? Object.keys(firstItem).find((key) => hostFlag.test(key))
    : undefined;
  if (flag === undefined) return null;
  const isHost = (each: unknown): boolean => isJsonObject(each) && each[flag] === true;
  return list.some(isHost) ? { flag, first: list.find((each) => !isHost(each)) } : null;
}
