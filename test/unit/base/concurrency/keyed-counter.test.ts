import { createKeyedCounter } from '../../../../src/base/concurrency/keyed-counter.ts';

test('each key has its own count, and the total is their sum', () => {
  const counter = createKeyedCounter();
  counter.add('a', 1);
  counter.add('a', 1);
  counter.add('b', 1);
  expect([counter.count('a'), counter.count('b'), counter.count('c'), counter.total]).toEqual([
    2, 1, 0, 3,
  ]);
  counter.add('a', -1);
  expect([counter.count('a'), counter.total]).toEqual([1, 2]);
});

test('a key whose count is zero is gone', () => {
  const counter = createKeyedCounter();
  counter.add('a', 1);
  counter.add('a', -1);
  expect([counter.count('a'), counter.total, counter.keysWithAtLeast(0)]).toEqual([0, 0, []]);
});

test('the keys with a count of at least two are listed', () => {
  const counter = createKeyedCounter();
  for (const key of ['a', 'b', 'b', 'c', 'c', 'c']) counter.add(key, 1);
  expect(counter.keysWithAtLeast(2)).toEqual(['b', 'c']);
});
