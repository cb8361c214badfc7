/** A finding: what a check of an installation saw, whether it is good, and what to do if not. */
import { localized, type Localized } from '../../base/errors.ts';

export const findingResults = ['ok', 'warning', 'problem'] as const;
type FindingResult = (typeof findingResults)[number];

export type Finding = {
  /** A word that stays. */
  readonly check: string;
  readonly result: FindingResult;
  readonly text: Localized;
  readonly advice: Localized | null;
};

/** Returns the constructor of the findings of checks, each with its advice in three languages. False is a problem. */
export const createFindings =
  <Check extends string>(advice: Readonly<Record<Check, readonly [string, string, string]>>) =>
  (check: Check, verdict: FindingResult | boolean, text: Localized): Finding => {
    const result = typeof verdict === 'string' ? verdict : verdict ? 'ok' : 'problem';
    const [en, pt, es] = advice[check];
    return { check, result, text, advice: result === 'ok' ? null : localized(en, [pt, es]) };
  };

export const okOrWarning = (isGood: boolean): FindingResult => (isGood ? 'ok' : 'warning');
