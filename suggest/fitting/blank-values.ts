/** Payloads in which the name, the phone number or the e-mail address of the person is missing: no other one may take its place. */
import type { TargetName } from '../candidates.ts';
import type { Verdict } from './corpus.ts';
import type { Case } from './cases.ts';

const blankable = ['contact.name', 'contact.phone', 'contact.email'] as const;

/** Returns a copy in which every text and number that shows a value is null. */
export function blankValues(value: unknown, shows: (text: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => blankValues(each, shows));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => [key, blankValues(each, shows)]);
    return Object.fromEntries(entries);
  }
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && shows(String(value)) ? null : value;
}

/** Returns whether a text shows a value: all of an address, the last digits of a number, or a part of a name. */
export function showsValueOf(target: TargetName, value: string): (text: string) => boolean {
  if (target === 'contact.phone')
    return (text) => text.replace(/\D/g, '').includes(value.replace(/\D/g, '').slice(-7));
  const own = value.toLowerCase();
  if (target === 'contact.email') return (text) => text.toLowerCase().includes(own);
  const parts = own.split(/\s+/).filter((part) => part.length > 2);
  return (text) => parts.some((part) => text.toLowerCase().includes(part));
}

interface BlankCase {
  readonly case: Case;
  readonly target: TargetName;
}

const known = new WeakMap<Case, BlankCase[]>();

/** Returns the case without each of the person's values that it has; the same ones at each call. */
export function blankCases(given: Case): BlankCase[] {
  const cases = known.get(given) ?? makeBlankCases(given);
  known.set(given, cases);
  return cases;
}

const makeBlankCases = (given: Case): BlankCase[] =>
  blankable.flatMap((target) => {
    const value = given.truth.get(target);
    if (value === undefined) return [];
    const { payload } = given;
    const body = blankValues(payload.body, showsValueOf(target, value));
    return [
      {
        target,
        case: {
          ...given,
          name: `${given.name} without ${target}`,
          payload: { ...payload, body },
          judge: judgeBlank(given),
        },
      },
    ];
  });

/** What was right counts neither way: the person may have a second number. */
function judgeBlank({ judge }: Case): Case['judge'] {
  const verdicts: Readonly<Record<Verdict, Verdict>> = {
    right: 'empty',
    missing: 'empty',
    empty: 'empty',
    wrong: 'invented',
    invented: 'invented',
  };
  return (event) =>
    new Map([...judge(event)].map(([target, verdict]) => [target, verdicts[verdict]]));
}
