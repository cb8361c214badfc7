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
const innerFolds = 3;
/** Payloads lack a value of the person less often than these variants say. */
const variantWeight = 0.2;
/** On unseen producers with other values, about 3 % of the values with at least this confidence are wrong. */
const level = 0.65;

interface ProducerExamples {
  readonly producer: string;
  readonly examples: readonly Example[];
  /** Of payloads that are changed. */
  readonly variants: readonly Example[];
}

interface Prepared {
  readonly producer: string;
  readonly examples: readonly Example[];
  readonly variants: readonly Example[];
  readonly learned: readonly (readonly [TargetName, SparseExample])[];
}

export function fitModel(given: readonly ProducerExamples[]): RankingModel {
  const all = given.map(({ producer, examples, variants }) => ({
    producer,
    examples,
    variants,
    learned: [...examples, ...variants].map((each) => [each.target, sparseExample(each)] as const),
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
  readonly odds: readonly [number, number];
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

const calibrationRounds = 2_000;

/** A logistic regression on the odds, with a bias for each target that is drawn to the common one. */
function fitCalibration(outcomes: readonly Outcome[]): RankingModel['calibration'] {
  let [own, empty, bias] = [1, 0, 0];
  const biases = new Float64Array(scoredTargets.length);
  const shifts = new Float64Array(scoredTargets.length);
  const places = Uint8Array.from(outcomes, ({ target }) => scoredTargets.indexOf(target));
  const rate = 1 / Math.max(outcomes.length, 1);
  for (let step = 0; step < calibrationRounds; step += 1) {
    let [ownChange, emptyChange, shift] = [0, 0, 0];
    shifts.fill(0);
    for (let i = 0; i < outcomes.length; i += 1) {
      const { odds, isRight, weight } = outcomes[i] as Outcome;
      const place = places[i] ?? 0;
      const sum = bias + (biases[place] ?? 0) + odds[0] * own + odds[1] * empty;
      const error = weight * ((isRight ? 1 : 0) - probabilityOf(sum));
      ownChange += error * odds[0];
      emptyChange += error * odds[1];
      shift += error;
      shifts[place] = (shifts[place] ?? 0) + error;
    }
    own += 0.05 * rate * ownChange;
    empty += 0.05 * rate * emptyChange;
    bias += 0.5 * rate * shift;
    for (let place = 0; place < biases.length; place += 1) {
      const before = biases[place] ?? 0;
      biases[place] = before + rate * ((shifts[place] ?? 0) - 2 * before);
    }
  }
  const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
  return {
    slopes: [rounded(own), rounded(empty)],
    biases: Object.fromEntries(
      scoredTargets.map((target, place) => [target, rounded(bias + (biases[place] ?? 0))]),
    ),
  };
}
