/** What the score on unseen producers loses without features: each alone, or each group of them. */
import { featureNames } from '../features.ts';
import { crossValidate, fitFolds } from './cross-validate.ts';
import type { CaseExamples } from './cross-validate.ts';
import type { Example } from './examples.ts';
import { isOfRealProducer, sharesOfScores } from './report.ts';

/** Returns one line for each feature whose name starts with the prefix, with the change in percent points. */
export function* ablate(all: readonly CaseExamples[], prefix = ''): Generator<string> {
  const whole = sharesWithout(all, new Set());
  for (const name of featureNames.filter((each) => each.startsWith(prefix))) {
    const { right, wrong, offered } = sharesWithout(all, new Set([featureNames.indexOf(name)]));
    const changes = [right - whole.right, wrong - whole.wrong, offered - whole.offered];
    yield name.padEnd(24) + changes.map((each) => (each * 100).toFixed(2).padStart(8)).join('');
  }
}

/** A feature that is 0 in all examples has no weight. */
function sharesWithout(all: readonly CaseExamples[], left: ReadonlySet<number>) {
  const mask = (example: Example): Example => ({
    ...example,
    features: example.features.map((each) => each.map((value, i) => (left.has(i) ? 0 : value))),
  });
  const masked = all.map((each) => ({
    ...each,
    examples: each.examples.map(mask),
    variants: each.variants.map(mask),
  }));
  return sharesOfScores(crossValidate(fitFolds(masked)).filter(isOfRealProducer));
}
