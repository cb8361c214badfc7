/**
 * Ranks the candidates of every target by a model that is fitted to payloads with known values.
 *
 * The model gives each candidate a weight, and to the answer "none of these" the weight 1. The confidence of a candidate is its share of
 * the sum, together with the candidates that hold the same value.
 */
import type { TargetName } from './candidates.ts';
import type { Candidate } from './candidate.ts';
import type { LeafIndex } from './leaf-index.ts';
import type { Leaf } from './leaves/leaf.ts';
import { featuresOf, findPerson } from './features.ts';
import { splitWords } from './names/concepts.ts';

export interface RankingModel {
  /** By target, the bias and one weight for each feature. A target without weights is ranked by the rules. */
  readonly weights: Readonly<Partial<Record<TargetName, readonly number[]>>>;
  readonly calibration: Calibration;
  /** The confidence from which on a target is filled. */
  readonly level: number;
}

interface Calibration {
  /** For what `logOddsOf` returns. */
  readonly slopes: readonly number[];
  readonly biases: Readonly<Partial<Record<TargetName, number>>>;
}

export interface RankedCandidate extends Candidate {
  /** The probability that the value is right: 0 to 1. */
  readonly confidence: number;
}

type Found = ReadonlyMap<TargetName, readonly Candidate[]>;

/** Returns the features of every candidate, by target. */
export function describeCandidates(found: Found, index: LeafIndex): Map<TargetName, number[][]> {
  const rivalOf = rivals(found);
  const type = String(found.get('eventType')?.[0]?.example ?? '');
  const typeWords = new Set(splitWords(type).map((word) => word.replace(/s$/, '')));
  const shared = { index, person: findPerson(found), typeWords };
  return new Map(
    [...found].map(([target, candidates]) => [
      target,
      candidates.map((each) =>
        featuresOf(each, {
          ...shared,
          target,
          candidates,
          rivalOf: (leaf) => rivalOf(target, leaf),
        }),
      ),
    ]),
  );
}

function rivals(found: Found): (target: TargetName, leaf: Leaf) => number {
  const scores = new Map<Leaf, Map<TargetName, number>>();
  for (const [target, candidates] of found) {
    for (const { leaf, score } of candidates) {
      if (leaf === null) continue;
      const known = scores.get(leaf) ?? new Map<TargetName, number>();
      known.set(target, Math.max(score, known.get(target) ?? 0));
      scores.set(leaf, known);
    }
  }
  return (target, leaf) =>
    Math.max(
      0,
      ...[...(scores.get(leaf) ?? [])].filter(([each]) => each !== target).map(([, s]) => s),
    );
}

/** Returns the candidates of every target with their confidence, the best first. */
export function rankCandidates(
  found: Found,
  index: LeafIndex,
  model: RankingModel,
): Map<TargetName, RankedCandidate[]> {
  const features = describeCandidates(found, index);
  return new Map(
    [...found].map(([target, candidates]) => {
      const weights = model.weights[target];
      const ranked =
        weights === undefined
          ? candidates.map((each) => ({ ...each, confidence: limited(each.score) }))
          : rankByShares(candidates, {
              target,
              shares: sharesOf(features.get(target) ?? [], weights),
              calibration: model.calibration,
            });
      return [target, ranked];
    }),
  );
}

const limited = (score: number): number => Math.min(Math.max(score, 0), 1);

const maxExponent = 30;

/** Returns the share of each candidate. The rest is that of an empty target. */
export function sharesOf(
  features: readonly (readonly number[])[],
  [bias = 0, ...weights]: readonly number[],
): number[] {
  const values = features.map((each) => {
    const score = each.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), bias);
    return Math.exp(Math.min(score, maxExponent));
  });
  const sum = values.reduce((total, each) => total + each, 1);
  return values.map((each) => each / sum);
}

const minShare = 1e-4;

/** The log-odds from which on another slope may hold. */
const bend = 1.5;

/** Returns the log-odds of the share, the negative logarithm of the share of an empty target, and the log-odds above the bend. */
export function logOddsOf(
  share: number,
  shares: readonly number[],
): readonly [own: number, empty: number, above: number] {
  const own = Math.min(Math.max(share, minShare), 1 - minShare);
  const rest = 1 - shares.reduce((sum, each) => sum + each, 0);
  const odds = Math.log(own / (1 - own));
  return [odds, -Math.log(Math.min(Math.max(rest, minShare), 1)), Math.max(odds - bend, 0)];
}

/** Returns the probability for the logarithm of its odds. */
export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Returns the probability that a candidate with these odds is right. */
function calibrationOf(
  { slopes, biases }: Calibration,
  target: TargetName,
  odds: readonly number[],
): number {
  const sum = odds.reduce((total, each, i) => total + each * (slopes[i] ?? 0), biases[target] ?? 0);
  return probabilityOf(sum);
}

interface Shares {
  readonly target: TargetName;
  readonly shares: readonly number[];
  readonly calibration: Calibration;
}

/** Candidates that hold the same value support each other. */
function rankByShares(
  candidates: readonly Candidate[],
  { target, shares, calibration }: Shares,
): RankedCandidate[] {
  const byValue = new Map<string, number>();
  for (const [i, { example }] of candidates.entries()) {
    const value = String(example).trim();
    byValue.set(value, (byValue.get(value) ?? 0) + (shares[i] ?? 0));
  }
  const order = candidates.map((each, i) => {
    const share = byValue.get(String(each.example).trim()) ?? 0;
    const confidence = calibrationOf(calibration, target, logOddsOf(share, shares));
    return { candidate: { ...each, confidence }, share, own: shares[i] ?? 0 };
  });
  // Of equal ones the first by path wins.
  return order
    .toSorted((a, b) => b.share - a.share || b.own - a.own)
    .map(({ candidate }) => candidate);
}
