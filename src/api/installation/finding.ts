/** A finding: what a check of an installation saw, whether it is good, and what to do if not. */
import type { PublicText } from '../../base/texts/texts.ts';

export const findingResults = ['ok', 'warning', 'problem'] as const;
type FindingResult = (typeof findingResults)[number];

/** Each check has its advice in the catalogue of texts. */
type Check =
  | 'mongodb'
  | 'redis'
  | 'servers'
  | 'workers'
  | 'open_events'
  | 'dead_letters'
  | 'disk'
  | 'redis_policy'
  | 'redis_file'
  | 'versions'
  | 'clocks'
  | 'indexes'
  | 'mappings'
  | 'events'
  | 'secrets';

export type Finding = {
  /** A word that stays. */
  readonly check: string;
  readonly result: FindingResult;
  readonly text: PublicText;
  readonly advice: PublicText | null;
};

/** A verdict of false is a problem. */
export function finding(check: Check, verdict: FindingResult | boolean, text: PublicText): Finding {
  const result = typeof verdict === 'string' ? verdict : verdict ? 'ok' : 'problem';
  return { check, result, text, advice: result === 'ok' ? null : `advice.${check}` };
}

export const okOrWarning = (isGood: boolean): FindingResult => (isGood ? 'ok' : 'warning');
