/** Gradient descent on the negative logarithm of the probability of a right answer. */
import type { Example } from './examples.ts';

const rounds = 100;
const rate = 0.15;

/** An example without the features that are 0. */
export interface SparseExample {
  /** Those of all candidates, one candidate after the other. */
  readonly at: Int16Array;
  readonly values: Float64Array;
  /** Where the features of each candidate end. */
  readonly ends: Int32Array;
  readonly isGood: readonly boolean[];
  /** Whether no candidate is right. */
  readonly isNoneGood: boolean;
}

export function sparseExample({ features, labels }: Example): SparseExample {
  const hasRight = labels.includes('right');
  const sparse = features.map((each) => {
    const at = [-1, ...each.keys()].filter((j) => j < 0 || each[j] !== 0);
    return at.map((j) => ({ at: j + 1, value: j < 0 ? 1 : (each[j] ?? 0) }));
  });
  const all = sparse.flat();
  let end = 0;
  return {
    at: Int16Array.from(all, ({ at }) => at),
    values: Float64Array.from(all, ({ value }) => value),
    ends: Int32Array.from(sparse, ({ length }) => (end += length)),
    // Without a right candidate, the right answer is none, or one that counts neither way.
    isGood: features.map((_, i) => labels[i] === 'right' || (!hasRight && labels[i] !== 'wrong')),
    isNoneGood: !hasRight,
  };
}

interface Descent {
  readonly start: Float64Array;
  /** The strength of the square penalty on the distance from the start. */
  readonly pull: number;
}

/** Returns the weights after a number of rounds of Adam, each with all examples. */
export function descendGradient(
  examples: readonly SparseExample[],
  { start, pull }: Descent,
): Float64Array {
  const weights = Float64Array.from(start);
  const mean = new Float64Array(start.length);
  const square = new Float64Array(start.length);
  const gradient = new Float64Array(start.length);
  const share = 1 / Math.max(examples.length, 1);
  for (let step = 1; step <= rounds; step += 1) {
    gradient.fill(0);
    for (const example of examples) addGradient(example, weights, gradient);
    const length = rate * (1 - step / (rounds + 1));
    for (let i = 0; i < weights.length; i += 1) {
      const distance = i === 0 ? 0 : (weights[i] ?? 0) - (start[i] ?? 0);
      const slope = (gradient[i] ?? 0) * share + 2 * pull * distance;
      mean[i] = 0.9 * (mean[i] ?? 0) + 0.1 * slope;
      square[i] = 0.99 * (square[i] ?? 0) + 0.01 * slope * slope;
      const scale = Math.sqrt((square[i] ?? 0) / (1 - 0.99 ** step)) + 1e-8;
      weights[i] = (weights[i] ?? 0) - (length * (mean[i] ?? 0)) / (1 - 0.9 ** step) / scale;
    }
  }
  return weights;
}

const maxCandidates = 64;
const shares = new Float64Array(maxCandidates);

/** Runs millions of times: it allocates nothing. */
function addGradient(
  { at, values, ends, isGood, isNoneGood }: SparseExample,
  weights: Float64Array,
  gradient: Float64Array,
): void {
  let sum = 1;
  let good = isNoneGood ? 1 : 0;
  let j = 0;
  for (let i = 0; i < ends.length; i += 1) {
    const end = ends[i] ?? 0;
    let score = 0;
    for (; j < end; j += 1) score += (values[j] ?? 0) * (weights[at[j] ?? 0] ?? 0);
    const share = Math.exp(Math.min(score, 30));
    shares[i] = share;
    sum += share;
    if (isGood[i]) good += share;
  }
  j = 0;
  for (let i = 0; i < ends.length; i += 1) {
    const end = ends[i] ?? 0;
    const share = shares[i] ?? 0;
    const slope = share / sum - (isGood[i] ? share / good : 0);
    for (; j < end; j += 1) {
      const k = at[j] ?? 0;
      gradient[k] = (gradient[k] ?? 0) + slope * (values[j] ?? 0);
    }
  }
}
