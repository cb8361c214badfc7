// `npm run suggest:fit`: fits the ranking model to all payloads with known values, and writes it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatText } from '../../scripts/lib/checks/format.mjs';
import { featureNames } from '../features.ts';
import { fitModel } from './fit.ts';
import { learnedExamples } from './learned-examples.ts';

const file = join(import.meta.dirname, '../weights.ts');
const model = fitModel(learnedExamples());
const text = `/** Written by \`npm run suggest:fit\`. The bias of each target, then its weights of: ${featureNames.join(', ')}. */
import type { RankingModel } from './rank.ts';

export const rankingModel: RankingModel = ${JSON.stringify(model)};
`;
writeFileSync(file, await formatText(file, text));
process.stdout.write(`Wrote ${file}. Values are filled from a confidence of ${model.level}.\n`);
