/** Lists of persons of whom some say that they are on the receiver's side: the organiser among the attendees. */
import { isJsonObject } from './keyed-list.ts';

const ownSide =
  /^(?:is_?|eh_?|es_?)?(?:organi[sz]er|organizador|host|anfitriao|staff|internal|agent|bot|self|me)$/i;

/** The flag that tells them apart, and the first of the others; null where nobody says so. */
export function findHostFlag(list: readonly unknown[]): { flag: string; first: unknown } | null {
  const [any] = list;
  const flag = isJsonObject(any) ? Object.keys(any).find((key) => ownSide.test(key)) : undefined;
  if (flag === undefined) return null;
  const isOwn = (each: unknown): boolean => isJsonObject(each) && each[flag] === true;
  return list.some(isOwn) ? { flag, first: list.find((each) => !isOwn(each)) } : null;
}
