/** Mappings of the requests of real producers: written by hand they read everything, suggested they read nearly all. */
import type { MappingDocument } from '../src/domain/mappings/mapping.ts';
import { compileMapping } from '../src/mapping/language/compile.ts';
import { previewItems } from '../src/mapping/evaluation/preview.ts';
import { suggestMapping } from '../suggest/suggest.ts';
import { crm } from './corpus-mappings/crm.ts';
import { forms } from './corpus-mappings/forms.ts';
import { messages } from './corpus-mappings/messages.ts';
import { shops } from './corpus-mappings/shops.ts';
import type { Request, Truth, Verdict } from '../suggest/fitting/corpus.ts';
import { judge, payloadOf, readCorpus, regionOf, truthFields } from '../suggest/fitting/corpus.ts';
import {
  addVerdicts,
  noVerdicts,
  readAsSuggested,
  sharesOf,
  tableOf,
} from '../suggest/fitting/score.ts';
import type { VerdictCounts } from '../suggest/fitting/score.ts';

const requests = readCorpus();
const mappings: Readonly<Record<string, MappingDocument>> = {
  ...crm,
  ...forms,
  ...shops,
  ...messages,
};

const saidIn = (truth: Truth): Truth =>
  Object.fromEntries(Object.entries(truth).filter(([, entry]) => entry !== null));

describe('a mapping written by hand', () => {
  test.each(requests.map((request) => [request.name, request] as const))(
    'reads all of %s',
    (name, request) => {
      // One mapping reads every request of its webhook.
      const document = mappings[request.variant_of ?? name];
      const compiled = compileMapping(document);
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
      const region = { defaultRegion: regionOf(request.truth) };
      const items = [...previewItems(compiled.mapping, payloadOf(request), region)];
      // A value that is not in the truth of an item may be in the truth of the body.
      const truths = [request.truth, ...(request.truth_items ?? []).map(saidIn)];
      expect(items).toHaveLength(request.batch?.count ?? 1);
      const faults = truths.flatMap((truth, i) =>
        truthFields.flatMap((field) => {
          if (i > 0 && truth[field] === undefined) return [];
          const event = items[Math.max(i - 1, 0)];
          const verdict = event === undefined ? 'missing' : judge(field, { truth }, event);
          return verdict === 'right' || verdict === 'empty' ? [] : [`${i} ${field}: ${verdict}`];
        }),
      );
      expect(faults).toEqual([]);
    },
  );

  test('exists for every request, and for nothing else', () => {
    const names = requests
      .filter(({ variant_of }) => variant_of === undefined)
      .map(({ name }) => name);
    expect(Object.keys(mappings).toSorted()).toEqual(names.toSorted());
  });
});

function tallyOf(request: Request, samples: readonly Request[]): VerdictCounts {
  const region = regionOf(request.truth);
  const [event] = readAsSuggested(samples.map(payloadOf), payloadOf(request), region);
  const tally = noVerdicts();
  for (const field of truthFields) {
    const verdict: Verdict = event === undefined ? 'missing' : judge(field, request, event);
    tally[verdict] += 1;
  }
  return tally;
}

function byProducer(
  samplesOf: (request: Request) => readonly Request[],
): Map<string, VerdictCounts> {
  const rows = new Map<string, VerdictCounts>();
  for (const request of requests) {
    const tally = tallyOf(request, samplesOf(request));
    rows.set(request.producer, addVerdicts(rows.get(request.producer) ?? noVerdicts(), tally));
  }
  return rows;
}

const totalOf = (rows: ReadonlyMap<string, VerdictCounts>): VerdictCounts =>
  [...rows.values()].reduce(addVerdicts, noVerdicts());

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);

describe('a suggestion', () => {
  test('from one request reads its true values', () => {
    const rows = byProducer((request) => [request]);
    console.log(tableOf('Suggested from one request', rows));
    const shares = sharesOf(totalOf(rows));
    expect(shares.right).toBeGreaterThanOrEqual(0.95);
    expect(shares.wrong).toBeLessThanOrEqual(0.015);
  });

  test('from two requests of one webhook reads both', () => {
    const variants = requests.filter(({ variant_of }) => variant_of !== undefined);
    const total = noVerdicts();
    for (const variant of variants) {
      const other = requests.find(({ name }) => name === variant.variant_of);
      const samples = other === undefined ? [variant] : [other, variant];
      for (const request of samples) addVerdicts(total, tallyOf(request, samples));
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

  test('proposes the event id that the producer documents, or none', () => {
    const faults = requests.flatMap((request) => {
      const { event_id_path: place } = request.facts;
      const payload = payloadOf(request);
      const [event] = readAsSuggested([payload], payload, 'BR');
      const id = event?.eventId ?? null;
      // Where none is found, an id is composed of that of the record, what happened to it and when.
      if (id?.includes(':')) return [];
      if (id === null || place === null) return id === null ? [] : [`${request.name}: ${id}`];
      const expected = place.startsWith('header:')
        ? payload.headers[place.slice('header:'.length).toLowerCase()]
        : String(valueAt(payload.body, place));
      return id.split(':').includes(expected ?? '') ? [] : [`${request.name}: ${id}`];
    });
    console.log(`Event ids that no fact supports:\n${faults.join('\n')}`);
    expect(faults.length).toBeLessThanOrEqual(3);
  });

  test('is the same every time', () => {
    for (const request of requests.slice(0, 20)) {
      const payload = payloadOf(request);
      expect(suggestMapping([payload])).toEqual(suggestMapping([payload]));
    }
  });
});
