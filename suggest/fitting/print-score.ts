// `npm run suggest:score`: scores suggestions on producers that the ranking model was not fitted to, as their payloads are and with other values.
// `-- faults` lists what is not right, `-- ablate [prefix]` what is lost without each feature.
import { ablate } from './ablate.ts';
import { crossValidate, fitFolds } from './cross-validate.ts';
import { learnedExamples, scoredVariants } from './learned-examples.ts';
import { faultsOf, isOfRealProducer, reliabilityTable, scoreTable } from './report.ts';

const examples = learnedExamples();
const folds = fitFolds(examples);
for (const [title, scores] of [
  ['As they are', crossValidate(folds)],
  ['With other values', crossValidate(folds, scoredVariants)],
] as const) {
  const real = scores.filter(isOfRealProducer);
  const parts = [title, scoreTable(scores), reliabilityTable(real)];
  if (process.argv.includes('faults')) parts.push(faultsOf(real));
  process.stdout.write(`${parts.join('\n\n')}\n\n`);
}
const [, , option, prefix] = process.argv;
if (option === 'ablate')
  for (const line of ablate(examples, prefix)) process.stdout.write(`${line}\n`);
