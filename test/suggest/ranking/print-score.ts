// `npm run suggest:score`: scores suggestions on producers that the ranking model was not fitted to. `-- faults` lists what is not right.
import { readCases } from './cases.ts';
import { crossValidate, withExamples } from './cross-validate.ts';
import { faultsOf, isReal, reliabilityTable, scoreTable } from './report.ts';

const scores = crossValidate(withExamples(readCases()));
const real = scores.filter(isReal);
const parts = [scoreTable(scores), reliabilityTable(real)];
if (process.argv.includes('faults')) parts.push(faultsOf(real));
process.stdout.write(`${parts.join('\n\n')}\n`);
