// `npm run suggest:score`: scores suggestions on producers that the ranking model was not fitted to. `-- faults` lists what is not right,
// `-- ablate [prefix]` what is lost without each feature.
import { ablate } from './ablate.ts';
import type { Case } from './cases.ts';
import { readCases, readVariedCases } from './cases.ts';
import { crossValidate, fitFolds, withExamples } from './cross-validate.ts';
import { faultsOf, isOfRealProducer, reliabilityTable, scoreTable } from './report.ts';

const variations = [1, 2, 3];
const examples = withExamples(readCases());
const folds = fitFolds(examples);
const scores = crossValidate(folds);
const real = scores.filter(isOfRealProducer);
const isListed = process.argv.includes('faults');
const parts = [scoreTable(scores), reliabilityTable(real)];
if (isListed) parts.push(faultsOf(real));
const varied = variations.flatMap((number) =>
  crossValidate(folds, variantsIn(readVariedCases(number))),
);
const variedReal = varied.filter(isOfRealProducer);
parts.push('With other values', scoreTable(varied), reliabilityTable(variedReal));
if (isListed) parts.push(faultsOf(variedReal));
process.stdout.write(`${parts.join('\n\n')}\n`);
const [, , option, prefix] = process.argv;
if (option === 'ablate')
  for (const line of ablate(examples, prefix)) process.stdout.write(`${line}\n`);

function variantsIn(cases: readonly Case[]): (given: Case) => readonly Case[] {
  const byName = new Map(cases.map((each) => [`${each.set}/${each.name}`, each]));
  return ({ set, name }) => {
    const found = byName.get(`${set}/${name}`);
    return found === undefined ? [] : [found];
  };
}
