/** Suggestions on producers that the ranking model was not fitted to. `suggest/corpora/corpus3/README.md` has these figures. */
import { crossValidate, fitFolds } from '../../../suggest/fitting/cross-validate.ts';
import { learnedExamples, scoredVariants } from '../../../suggest/fitting/learned-examples.ts';
import { blankCases } from '../../../suggest/fitting/blank-values.ts';
import { casesWithNotes } from '../../../suggest/fitting/cases-with-notes.ts';
import {
  isOfRealProducer,
  reliability,
  reliabilityTable,
  scoreTable,
  sharesOfScores,
} from '../../../suggest/fitting/report.ts';

const folds = fitFolds(learnedExamples());
const scores = crossValidate(folds);
const varied = crossValidate(folds, scoredVariants);
const real = [...scores, ...varied].filter(isOfRealProducer);

test.each([
  ['as they are', scores, { right: 0.945, wrong: 0.026 }],
  ['with other values', varied, { right: 0.94, wrong: 0.03 }],
])(
  'suggestions read the true values of unseen producers, and fill few wrong ones: %s',
  (_, all, bounds) => {
    const real = all.filter(isOfRealProducer);
    console.log(`${scoreTable(all)}\n\n${reliabilityTable(real)}`);
    const { known, right, wrong, offered } = sharesOfScores(real);
    expect(known).toBeGreaterThan(1_700);
    expect(right).toBeGreaterThanOrEqual(bounds.right);
    expect(wrong).toBeLessThanOrEqual(bounds.wrong);
    expect(offered).toBeGreaterThanOrEqual(0.965);
  },
);

test('a confidence is right as often as it says, within three percent', () => {
  for (const { from, confidence, right, count } of reliability(real)) {
    if (count < 50) continue;
    expect(right - confidence).toBeGreaterThanOrEqual(-0.03);
    // The few values that are barely filled are right more often than they say.
    expect(right - confidence).toBeLessThanOrEqual(from < 0.8 ? 0.09 : 0.03);
  }
});

test("another person's value seldom takes the place of one that is missing", () => {
  const blank = crossValidate(folds, (each) => blankCases(each).map((one) => one.case)).filter(
    ({ target, case: { name } }) => name.endsWith(` without ${target}`),
  );
  const wrong = blank.filter(({ verdict }) => verdict === 'invented');
  console.log(`${wrong.length} of ${blank.length} are another person's`);
  expect(blank.length).toBeGreaterThan(700);
  expect(wrong.length / blank.length).toBeLessThanOrEqual(0.062);
});

test('a note beside the message neither takes its place nor empties it', () => {
  const messages = crossValidate(folds, casesWithNotes).filter(
    ({ target }) => target === 'message.text',
  );
  const { known, right, wrong } = sharesOfScores(messages);
  expect(known).toBeGreaterThan(70);
  expect(right).toBeGreaterThanOrEqual(0.92);
  expect(wrong).toBeLessThanOrEqual(0.05);
});
