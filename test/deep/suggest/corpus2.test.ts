/** Suggestions for the requests of producers that have no mapping here, by target. */
import type { Request, Verdict } from '../../../suggest/fitting/corpus.ts';
import {
  judge,
  payloadOf,
  readCorpus,
  regionOf,
  truthFields,
} from '../../../suggest/fitting/corpus.ts';
import {
  addVerdicts,
  noVerdicts,
  readAsSuggested,
  sharesOf,
  tableOf,
} from '../../../suggest/fitting/score.ts';
import type { VerdictCounts } from '../../../suggest/fitting/score.ts';

const requests = readCorpus('corpus2');

/** By target, and the values that are not right, each in a line. */
function score(samplesOf: (request: Request) => readonly Request[]) {
  const rows = new Map<string, VerdictCounts>();
  const faults: string[] = [];
  for (const request of requests) {
    const samples = samplesOf(request).map(payloadOf);
    const [event] = readAsSuggested(samples, payloadOf(request), regionOf(request.truth));
    for (const field of truthFields) {
      const verdict: Verdict = event === undefined ? 'missing' : judge(field, request, event);
      const tally = rows.get(field) ?? noVerdicts();
      tally[verdict] += 1;
      rows.set(field, tally);
      if (verdict !== 'right' && verdict !== 'empty')
        faults.push(`${field}: ${verdict} in ${request.name}`);
    }
  }
  return { rows, faults: faults.toSorted() };
}

const totalOf = (rows: ReadonlyMap<string, VerdictCounts>): VerdictCounts =>
  [...rows.values()].reduce(addVerdicts, noVerdicts());

test('a suggestion from one request reads its true values', () => {
  const { rows, faults } = score((request) => [request]);
  console.log(`${tableOf('Second corpus, by target', rows)}\n\n${faults.join('\n')}`);
  const shares = sharesOf(totalOf(rows));
  expect(shares.right).toBeGreaterThanOrEqual(0.95);
  expect(shares.wrong).toBeLessThanOrEqual(0.016);
});

test('a suggestion from two requests of one webhook reads both', () => {
  const variants = requests.filter(({ variant_of }) => variant_of !== undefined);
  expect(variants.length).toBeGreaterThan(1);
  const partners = (request: Request) =>
    requests.filter(
      ({ name, variant_of }) =>
        name === request.name ||
        name === request.variant_of ||
        (variant_of !== undefined && variant_of === request.name),
    );
  const one = sharesOf(totalOf(score((request) => [request]).rows));
  const both = sharesOf(totalOf(score(partners).rows));
  expect(both.right).toBeGreaterThanOrEqual(one.right - 0.01);
  expect(both.wrong).toBeLessThanOrEqual(one.wrong + 0.005);
});
