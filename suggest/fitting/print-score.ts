// `npm run suggest:score`: scores suggestions on producers that the ranking model was not fitted to. `-- faults` lists what is not right,
// `-- ablate [prefix]` what is lost without each feature.
import { ablate } from './ablate.ts';
import { readCases } from './cases.ts';
import { crossValidate, fitFolds, withExamples } from './cross-validate.ts';
import { faultsOf, isOfRealProducer, reliabilityTable, scoreTable } from './report.ts';

const examples = withExamples(readCases());
const scores = crossValidate(fitFolds(examples));
const real = scores.filter(isOfRealProducer);
const parts = [scoreTable(scores), reliabilityTable(real)];
if (process.argv.includes('faults')) parts.push(faultsOf(real));
process.stdout.write(`${parts.join('\n\n')}\n`);
const [, , option, prefix] = process.argv;
if (option === 'ablate')
  for (const line of ablate(examples, prefix)) process.stdout.write(`${line}\n`);
