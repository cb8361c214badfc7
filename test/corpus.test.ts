/** What a suggested mapping reads in the requests of real producers, beside the truth. */
import { suggestMapping } from '../src/mapping/suggest/suggest.ts';
import type { Request, Verdict } from './suggest/corpus.ts';
import { judge, payloadOf, readCorpus, regionOf, truthFields } from './suggest/corpus.ts';
import { addTally, emptyTally, readAsSuggested, sharesOf, tableOf } from './suggest/score.ts';
import type { Tally } from './suggest/score.ts';

const requests = readCorpus();

function tallyOf(request: Request, samples: readonly Request[]): Tally {
  const region = regionOf(request.truth);
  const [event] = readAsSuggested(samples.map(payloadOf), payloadOf(request), region);
  const tally = emptyTally();
  for (const field of truthFields) {
    const verdict: Verdict = event === undefined ? 'missing' : judge(field, request.truth, event);
    tally[verdict] += 1;
  }
  return tally;
}

function byProducer(samplesOf: (request: Request) => readonly Request[]): Map<string, Tally> {
  const rows = new Map<string, Tally>();
  for (const request of requests) {
    const tally = tallyOf(request, samplesOf(request));
    rows.set(request.producer, addTally(rows.get(request.producer) ?? emptyTally(), tally));
  }
  return rows;
}

const totalOf = (rows: ReadonlyMap<string, Tally>): Tally =>
  [...rows.values()].reduce(addTally, emptyTally());

describe('a suggestion', () => {
  test('from one request reads what is true in it', () => {
    const rows = byProducer((request) => [request]);
    console.log(tableOf('Suggested from one request', rows));
    const shares = sharesOf(totalOf(rows));
    expect(shares.right).toBeGreaterThanOrEqual(0.966);
    expect(shares.wrong).toBeLessThanOrEqual(0.0086);
  });

  test('from two requests of one webhook reads both', () => {
    const variants = requests.filter(({ variant_of }) => variant_of !== undefined);
    const total = emptyTally();
    for (const variant of variants) {
      const other = requests.find(({ name }) => name === variant.variant_of);
      const samples = other === undefined ? [variant] : [other, variant];
      for (const request of samples) addTally(total, tallyOf(request, samples));
    }
    console.log(tableOf('Suggested from both of a pair', new Map([['pairs', total]])));
    expect(sharesOf(total).right).toBeGreaterThanOrEqual(0.9);
    expect(sharesOf(total).wrong).toBeLessThanOrEqual(0.02);
  });

  test('splits every batch into all its items', () => {
    const counts = requests
      .filter(({ batch }) => batch !== null)
      .map((request) => {
        const payload = payloadOf(request);
        const items = readAsSuggested([payload], payload, regionOf(request.truth));
        return [request.name, items.length, request.batch?.count];
      });
    expect(counts.filter(([, read, count]) => read !== count)).toEqual([]);
  });

  test('is the same every time', () => {
    for (const request of requests.slice(0, 20)) {
      const payload = payloadOf(request);
      expect(suggestMapping([payload])).toEqual(suggestMapping([payload]));
    }
  });
});
