/**
 * Fits the ranking model to examples. The weights make the right candidates, or none of them when none is right, the most probable;
 * the weights of all targets are fitted together first, and those of each target then stay near them. The calibration turns the shares
 * that the weights give on producers that they were not fitted to into the probability that the best candidate is right.
 *
 * Deterministic: the same examples give the same model.
 */
import type { TargetName } from '../candidates.ts';
import { featureNames } from '../features.ts';
import { logOddsOf, probabilityOf, sharesOf } from '../rank.ts';
import type { RankingModel } from '../rank.ts';
import { scoredTargets } from './cases.ts';
import { descendGradient, sparseExample } from './gradient-descent.ts';
import type { SparseExample } from './gradient-descent.ts';
import { bestOf } from './examples.ts';
import type { Example } from './examples.ts';
import { splitIntoFolds } from './folds.ts';

const size = featureNames.length + 1;
/** How strongly weights are drawn to 0, and those of one target to those of all. */
const pullToZero = 0.0005;
const pullToShared = 0.0005;
const innerFolds = 6;
/** Payloads lack a value of the person less often than these variants say. */
const variantWeight = 0.03;
/** On unseen producers with other values, about 3 % of the values with at least this confidence are wrong. */
const level = 0.65;

interface ProducerExamples {
  readonly producer: string;
  readonly examples: readonly Example[];
  /** Of payloads that are changed. */
  readonly variants: readonly Example[];
}

interface Prepared extends ProducerExamples {
  readonly learned: readonly (readonly [TargetName, SparseExample])[];
}

export function fitModel(given: readonly ProducerExamples[]): RankingModel {
  const all = given.map((each) => ({
    ...each,
    learned: [...each.examples, ...each.variants].map(
      (one) => [one.target, sparseExample(one)] as const,
    ),
  }));
  const unseen = splitIntoFolds(all, innerFolds).flatMap(({ train, test }) => {
    const weights = fitWeights(train);
    return test.flatMap(({ examples, variants }) => [
      ...examples.map((each) => outcomeOf(each, weights)),
      ...variants.map((each) => outcomeOf(each, weights, variantWeight)),
    ]);
  });
  const outcomes = unseen.filter((each) => each !== null);
  const calibration = fitCalibration(outcomes);
  return { weights: fitWeights(all), calibration, level };
}

function fitWeights(producers: readonly Prepared[]): RankingModel['weights'] {
  const examples = producers.flatMap((each) => each.learned);
  const start = new Float64Array(size);
  const shared = descendGradient(
    examples.map(([, sparse]) => sparse),
    { start, pull: pullToZero },
  );
  const weights: Partial<Record<TargetName, readonly number[]>> = {};
  for (const target of scoredTargets) {
    const own = examples.filter(([each]) => each === target).map(([, sparse]) => sparse);
    const fitted = descendGradient(own, { start: shared, pull: pullToShared });
    weights[target] = [...fitted].map((each) => Math.round(each * 1_000) / 1_000);
  }
  return weights;
}

interface Outcome {
  readonly target: TargetName;
  readonly odds: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

/** Returns what comes of the best candidate; null when it counts neither way. */
function outcomeOf(example: Example, weights: RankingModel['weights'], weight = 1): Outcome | null {
  const { target, features } = example;
  const shares = sharesOf(features, weights[target] ?? []);
  const [best] = bestOf(example, shares);
  if (best === undefined || best.label === 'neutral' || best.label === 'none') return null;
  return { target, odds: logOddsOf(best.share, shares), isRight: best.label === 'right', weight };
}

const maxSteps = 25;
/** The slopes of the calibration, and with the common bias. */
const slopes = 3;
const shared = slopes + 1;
/** How strongly the bias of a target is drawn to the common one. */
const pullToCommon = 2;

/** A logistic regression on the odds, with a bias for each target, by Newton's method. */
function fitCalibration(outcomes: readonly Outcome[]): RankingModel['calibration'] {
  const count = shared + scoredTargets.length;
  let fitted: number[] = Array.from({ length: count }, () => 0);
  for (let step = 0; step < maxSteps; step += 1) {
    const slope: number[] = fitted.map((each, i) => (i < shared ? 0 : -pullToCommon * each));
    const curve: number[][] = slope.map((_, i) =>
      slope.map((__, j): number => (i === j ? (i < shared ? 1e-6 : pullToCommon) : 0)),
    );
    for (const { target, odds, isRight, weight } of outcomes) {
      const inputs: [number, number][] = [
        ...odds.map((each, i): [number, number] => [i, each]),
        [slopes, 1],
        [shared + scoredTargets.indexOf(target), 1],
      ];
      const share = probabilityOf(inputs.reduce((sum, [i, x]) => sum + x * (fitted[i] ?? 0), 0));
      const error = weight * ((isRight ? 1 : 0) - share);
      const spread = weight * share * (1 - share);
      for (const [i, x] of inputs) {
        slope[i] = (slope[i] ?? 0) + error * x;
        const row = curve[i] ?? [];
        for (const [j, y] of inputs) row[j] = (row[j] ?? 0) + spread * x * y;
      }
    }
    const change = solve(curve, slope);
    fitted = fitted.map((each, i) => each + (change[i] ?? 0));
  }
  const bias = fitted[slopes] ?? 0;
  const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
  return {
    slopes: fitted.slice(0, slopes).map(rounded),
    biases: Object.fromEntries(
      scoredTargets.map((target, place) => [target, rounded(bias + (fitted[shared + place] ?? 0))]),
    ),
  };
}

/** Solves linear equations by elimination; the matrix is symmetric and positive. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (const [i, pivot] of rows.entries())
    for (const [j, row] of rows.entries()) {
      if (i === j) continue;
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1);
      for (let k = i; k < row.length; k += 1) row[k] = (row[k] ?? 0) - factor * (pivot[k] ?? 0);
    }
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1));
}
