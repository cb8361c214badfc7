/** Suggestions on producers that the ranking model was not fitted to. `docs/mapping.md` publishes these figures. */
import { readCases } from './suggest/ranking/cases.ts';
import { crossValidate, withExamples } from './suggest/ranking/cross-validate.ts';
import { notedCases } from './suggest/ranking/noted-cases.ts';
import {
  isReal,
  reliability,
  reliabilityTable,
  scoreTable,
  sharesOfScores,
} from './suggest/ranking/report.ts';

const examples = withExamples(readCases());
const scores = crossValidate(examples);
const real = scores.filter(isReal);

test('suggestions read the true values of unseen producers, and fill few wrong ones', () => {
  console.log(`${scoreTable(scores)}\n\n${reliabilityTable(real)}`);
  const { known, right, wrong, offered } = sharesOfScores(real);
  expect(known).toBeGreaterThan(1_400);
  expect(right).toBeGreaterThanOrEqual(0.935);
  expect(wrong).toBeLessThanOrEqual(0.022);
  expect(offered).toBeGreaterThanOrEqual(0.975);
});

test('a confidence is right as often as it says, within five percent', () => {
  for (const { confidence, right, count } of reliability(real)) {
    if (count >= 50) expect(Math.abs(confidence - right)).toBeLessThanOrEqual(0.05);
  }
});

test('a note beside the message neither takes its place nor empties it', () => {
  const messages = crossValidate(examples, notedCases).filter(
    ({ target }) => target === 'message.text',
  );
  const { known, right, wrong } = sharesOfScores(messages);
  expect(known).toBeGreaterThan(70);
  expect(right).toBeGreaterThanOrEqual(0.94);
  expect(wrong).toBeLessThanOrEqual(0.02);
});
