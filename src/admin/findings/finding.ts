/** A finding: what a check of an installation saw, whether it is good, and what to do if not. */
import type { Localized } from '../../base/errors.ts';

export const findingResults = ['ok', 'warning', 'problem'] as const;
type FindingResult = (typeof findingResults)[number];

export type Finding = {
  /** A word that stays. */
  readonly check: string;
  readonly result: FindingResult;
  readonly text: Localized;
  readonly advice: Localized | null;
};

/** The finding of a check with this advice; false is a problem. */
export const findingOf =
  (check: string, advice: Localized) =>
  (verdict: FindingResult | boolean, text: Localized): Finding => {
    const result = typeof verdict === 'string' ? verdict : verdict ? 'ok' : 'problem';
    return { check, result, text, advice: result === 'ok' ? null : advice };
  };

export const okOrWarning = (isGood: boolean): FindingResult => (isGood ? 'ok' : 'warning');
