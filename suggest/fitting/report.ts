/** Tables of scores: by target, by set of payloads, and how often a confidence is right. */
import type { Score } from './cross-validate.ts';
import { scoredTargets } from './cases.ts';
import { corpusNames } from './corpus.ts';

interface Shares {
  /** The number of true values. */
  readonly known: number;
  /** Of the true values. */
  readonly right: number;
  /** Of the filled values. */
  readonly wrong: number;
  /** Of the true values: those among the first three offered. */
  readonly offered: number;
}

export function sharesOfScores(scores: readonly Score[]): Shares {
  const known = scores.filter(({ isKnown }) => isKnown);
  const right = scores.filter(({ verdict }) => verdict === 'right').length;
  const wrong = scores.filter(
    ({ verdict }) => verdict === 'wrong' || verdict === 'invented',
  ).length;
  const offered = known.filter(({ isOffered }) => isOffered).length;
  const of = (part: number, whole: number): number => part / Math.max(whole, 1);
  return {
    known: known.length,
    right: of(right, known.length),
    wrong: of(wrong, right + wrong),
    offered: of(offered, known.length),
  };
}

export const isOfRealProducer = ({ case: { set } }: Score): boolean => set !== 'invented';

const sets = [...corpusNames, 'invented'];

/** The scores of real producers by target, and of all sets apart. */
export function scoreTable(scores: readonly Score[]): string {
  const real = scores.filter(isOfRealProducer);
  const rows: (readonly [string, readonly Score[]])[] = [
    ...scoredTargets.map(
      (target) => [target, real.filter((each) => each.target === target)] as const,
    ),
    ['real producers', real],
    ...sets.map((set) => [set, scores.filter((each) => each.case.set === set)] as const),
  ];
  const lines = rows.map(([name, part]) => {
    const { known, right, wrong, offered } = sharesOfScores(part);
    return row(name, [String(known), percent(right), percent(wrong), percent(offered)]);
  });
  const heading = row('Unseen producers', ['true', 'right', 'wrong', 'in three']);
  return [heading, ...lines].join('\n');
}

const row = (name: string, cells: readonly string[]): string =>
  name.padEnd(22) + cells.map((each) => each.padStart(10)).join('');

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const limits = [0, 0.8, 0.9, 0.95, 0.98, 1];

interface Reliability {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The mean confidence. */
  readonly confidence: number;
  readonly right: number;
}

/** Returns how many of the filled values are right, by their confidence. */
export function reliability(scores: readonly Score[]): Reliability[] {
  const filled = scores.filter(
    ({ verdict }) => verdict === 'right' || verdict === 'wrong' || verdict === 'invented',
  );
  return limits.slice(1).flatMap((to, i) => {
    const from = limits[i] ?? 0;
    const part = filled.filter(({ confidence }) => {
      const value = confidence ?? 0;
      return value >= from && (value < to || to === 1);
    });
    if (part.length === 0) return [];
    const sum = part.reduce((total, { confidence }) => total + (confidence ?? 0), 0);
    const right = part.filter(({ verdict }) => verdict === 'right').length;
    return [
      { from, to, count: part.length, confidence: sum / part.length, right: right / part.length },
    ];
  });
}

export function reliabilityTable(scores: readonly Score[]): string {
  const heading = row('Confidence', ['filled', 'mean', 'right']);
  const lines = reliability(scores).map(({ from, to, count, confidence, right }) =>
    row(`${percent(from)} to ${percent(to)}`, [String(count), percent(confidence), percent(right)]),
  );
  return [heading, ...lines].join('\n');
}

/** What is not right, one line each. */
export function faultsOf(scores: readonly Score[]): string {
  return scores
    .filter(({ verdict }) => verdict !== 'right' && verdict !== 'empty')
    .map((each) => {
      const { target, verdict, isOffered } = each;
      const { set, name } = each.case;
      return `${target} ${verdict} in ${set}/${name}${isOffered ? ', right among the first three' : ''}`;
    })
    .toSorted()
    .join('\n');
}
