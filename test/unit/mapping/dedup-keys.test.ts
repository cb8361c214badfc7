import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { dedupKeysForId, readDedup } from '../../../src/mapping/evaluation/dedup-keys.ts';

function compiled(document: object) {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
}

const items = [{ id: 'a' }, { id: 'b' }];
const payload = { body: { items }, headers: { 'x-event-id': 'same' }, query: {} };

test('an older recipe without a split gives the items of a body no common key', () => {
  const before = compiled({ eventId: { header: 'x-event-id' } });
  const now = compiled({ split: 'items', eventId: { path: 'id' } });
  const keys = items.map((item) => readDedup([now, before], payload, { item }).keys);
  expect(keys.map(({ length }) => length)).toEqual([1, 1]);
  expect(keys[0]).not.toEqual(keys[1]);
});

test('an older recipe with the same split still recognises resends', () => {
  const before = compiled({ split: 'items', eventId: { path: 'id', transforms: ['lower'] } });
  const now = compiled({ split: 'items', eventId: { path: 'id' } });
  expect(readDedup([now, before], payload, { item: items[0] }).keys).toHaveLength(2);
});

test.each([
  { header: 'x-event-id' },
  { const: 'x' },
  { path: 'id', root: true },
  { join: [{ header: 'a' }, { query: 'b' }] },
])('an id that is the same for every item of a body is invalid: %j', (eventId) => {
  expect(compileMapping({ split: 'items', eventId })).toMatchObject({
    ok: false,
    problems: [{ path: '/eventId' }],
  });
});

test('an id may have a part that is the same for every item', () => {
  const eventId = { join: [{ header: 'x-event-id' }, { path: 'id' }] };
  expect(compileMapping({ split: 'items', eventId }).ok).toBe(true);
});

const read = {
  body: { id: ' a:b ', n: 7, x: 'a:', y: 'b', z: 'c' },
  headers: { h: 'H' },
  query: {},
};

test.each([
  [{ path: 'id' }, 'a:b'],
  [{ path: 'n' }, '7'],
  [{ header: 'h' }, 'H'],
  [{ path: 'y', transforms: ['upper'] }, 'B'],
  [{ first: [{ path: 'none' }, { path: 'z' }] }, 'c'],
  [{ join: [{ path: 'y' }, { path: 'z' }] }, 'b c'],
  [{ join: [{ path: 'y' }, { path: 'z' }], with: ':' }, 'b:c'],
  [{ join: [{ path: 'x' }, { path: 'y' }], with: ':' }, 'a::b'],
  [{ join: [{ path: 'x' }, { path: 'y' }, { path: 'z' }], with: '' }, 'a:bc'],
  [{ join: [{ path: 'y' }, { path: 'z' }], with: ':', transforms: ['upper'] }, 'B:C'],
])('the key of an id is found by its text: %j', (eventId, text) => {
  const mapping = compiled({ eventId });
  const { externalId, keys } = readDedup([mapping], read);
  expect(externalId).toBe(text);
  expect(dedupKeysForId([mapping], text)).toEqual(expect.arrayContaining([...keys]));
  expect(dedupKeysForId([mapping], `${text}x`)).not.toEqual(expect.arrayContaining([...keys]));
});

test('the keys of a text are those of every recipe, the active one first, and none without a recipe', () => {
  const [now, before] = [
    compiled({ eventId: { path: 'uuid' } }),
    compiled({ eventId: { path: 'id' } }),
  ];
  expect(dedupKeysForId([now, before], '7')).toEqual([
    ...dedupKeysForId([now], '7'),
    ...dedupKeysForId([before], '7'),
  ]);
  expect(dedupKeysForId([compiled({})], '7')).toEqual([]);
  expect(dedupKeysForId([now], ' ')).toEqual([]);
  expect(dedupKeysForId([now], 'x'.repeat(1_025))).toEqual([]);
});

test('an id that can be split in a thousand ways is split in a hundred', () => {
  const join = Array.from({ length: 8 }, () => ({ path: 'y' }));
  const mapping = compiled({ eventId: { join, with: '' } });
  expect(dedupKeysForId([mapping], 'x'.repeat(1_000)).length).toBeLessThanOrEqual(100);
});
