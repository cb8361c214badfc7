import { compileMapping } from '../../../src/mapping/compile.ts';
import { dedupOf } from '../../../src/mapping/dedup.ts';

function compiled(document: object) {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
}

const items = [{ id: 'a' }, { id: 'b' }];
const payload = { body: { items }, headers: { 'x-event-id': 'same' }, query: {} };

test('an older recipe that did not split gives the items of a body no key in common', () => {
  const before = compiled({ eventId: { header: 'x-event-id' } });
  const now = compiled({ split: 'items', eventId: { path: 'id' } });
  const keys = items.map((item) => dedupOf([now, before], payload, item).keys);
  expect(keys.map(({ length }) => length)).toEqual([1, 1]);
  expect(keys[0]).not.toEqual(keys[1]);
});

test('an older recipe of the same kind still knows what it knew', () => {
  const before = compiled({ split: 'items', eventId: { path: 'id', transforms: ['lower'] } });
  const now = compiled({ split: 'items', eventId: { path: 'id' } });
  expect(dedupOf([now, before], payload, items[0]).keys).toHaveLength(2);
});

test.each([
  { header: 'x-event-id' },
  { const: 'x' },
  { path: 'id', root: true },
  { join: [{ header: 'a' }, { query: 'b' }] },
])('an id that is the same for every item of a body is refused: %j', (eventId) => {
  expect(compileMapping({ split: 'items', eventId })).toMatchObject({
    ok: false,
    problems: [{ path: '/eventId' }],
  });
});

test('an id may have parts that are the same for every item', () => {
  const eventId = { join: [{ header: 'x-event-id' }, { path: 'id' }] };
  expect(compileMapping({ split: 'items', eventId }).ok).toBe(true);
});
