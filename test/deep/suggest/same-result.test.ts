/** A suggestion is the same for any order of keys, and reads the same values in a payload that something wraps. */
import type { Payload } from '../../../src/domain/mappings/mapping.ts';
import { isJsonObject } from '../../../src/base/json/json-values.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';
import { readCases, readVariedCases } from '../../../suggest/fitting/cases.ts';
import { randomOf, type Random } from '../../../suggest/fitting/variation/random.ts';
import { suggestMapping } from '../../../suggest/suggest.ts';

const cases = [...readCases(), ...readVariedCases(1)].filter(({ payload }) =>
  isJsonObject(payload.body),
);

function withKeys(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withKeys(each, order));
  if (!isJsonObject(value)) return value;
  const result = Object.create(null) as Record<string, unknown>;
  for (const key of order(Object.keys(value))) result[key] = withKeys(value[key], order);
  return result;
}

const shuffled = (keys: readonly string[], random: Random): string[] => {
  const left = [...keys];
  return keys.map(() => left.splice(random.below(left.length), 1)[0] ?? '');
};

const orders: Readonly<Record<string, (keys: string[], random: Random) => string[]>> = {
  reversed: (keys) => keys.toReversed(),
  sorted: (keys) => keys.toSorted(),
  shuffled,
};

test.each(Object.entries(orders))(
  'keys in another order give the same suggestion: %s',
  (_, order) => {
    const changed = cases.filter(({ name, payload, region }) => {
      const random = randomOf(name);
      const body = withKeys(payload.body, (keys) => order(keys, random));
      const options = { defaultRegion: region };
      const [before, after] = [payload, { ...payload, body }].map((one) =>
        JSON.stringify(suggestMapping([one], options)),
      );
      return before !== after;
    });
    expect(changed.map(({ name }) => name)).toEqual([]);
  },
);

const headersOf = ({ headers }: Payload): Record<string, string> => ({
  'Content-Type': 'application/json',
  ...headers,
});
const wrappers: Readonly<Record<string, (payload: Payload) => Payload>> = {
  'in data': (payload) => ({ ...payload, body: { data: payload.body } }),
  twice: (payload) => ({ ...payload, body: { payload: { data: payload.body } } }),
  'by a relay': (payload) => ({
    query: {},
    headers: {},
    body: { headers: headersOf(payload), query: payload.query, body: payload.body },
  }),
  'by a relay in data': (payload) => ({
    query: {},
    headers: {},
    body: { data: { headers: headersOf(payload), params: {}, query: {}, body: payload.body } },
  }),
};

test.each(Object.entries(wrappers))(
  'a wrapped payload is read as one that is not: %s',
  (_, wrap) => {
    const changed = cases.flatMap(({ name, payload, region }) => {
      const [before, after] = [payload, wrap(payload)].map((one) => readItself([one], one, region));
      return before === after ? [] : [{ name, before, after }];
    });
    expect(changed).toEqual([]);
  },
);

test('a sample that is given twice gives the same suggestion', () => {
  const changed = cases.filter(({ payload, region }) => {
    const [one, two] = [[payload], [payload, payload]].map((samples) =>
      readItself(samples, payload, region),
    );
    return one !== two;
  });
  expect(changed.map(({ name }) => name)).toEqual([]);
});

/** What the suggested mapping reads, as text. */
function readItself(samples: readonly Payload[], payload: Payload, region: string): string {
  const { mapping } = suggestMapping(samples, { defaultRegion: region });
  const compiled = compileMapping(mapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const items = [...previewItems(compiled.mapping, payload, { defaultRegion: region })];
  return JSON.stringify(
    items.map(({ ignored, eventId, eventType, eventDate, contact, message, context }) => {
      const { origin, campaign } = context;
      return { ignored, eventId, eventType, eventDate, contact, message, origin, campaign };
    }),
  );
}
