import {
  findDrop,
  findRise,
  type ShareSeries,
} from '../../../../src/mapping/drift/share-change.ts';

/** From [total, hits] pairs, newest first. The newest is at hour 0, the next at hour -1. */
const series = (...pairs: [number, number][]): ShareSeries =>
  pairs.map(([total, hits], index) => ({ at: new Date(-index * 3_600_000), total, hits }));
const hour = (index: number) => new Date(-index * 3_600_000);

test.each<[string, ShareSeries]>([
  ['there are no events', series()],
  ['nothing changed', series([10, 10], [20, 20])],
  ['there are too few new events', series([9, 0], [20, 20])],
  ['there are too few earlier events', series([10, 0], [19, 19])],
  ['it was never usual', series([10, 0], [100, 70])],
  ['half of the share is left', series([20, 10], [20, 20])],
  ['it came back', series([10, 9], [50, 0], [100, 100])],
])('no drop when %s', (_name, points) => {
  expect(findDrop(points)).toBeNull();
});

test('a value that disappeared is found with its time, after any duration', () => {
  expect(findDrop(series([6, 0], [0, 0], [600, 0], [20, 19]))).toMatchObject({
    since: hour(2),
    before: 0.95,
    after: 0,
    events: 606,
  });
});

test('hours without events are ignored', () => {
  expect(findDrop(series([0, 0], [4, 0], [0, 0], [6, 0], [20, 20]))).toMatchObject({
    since: hour(3),
    events: 10,
  });
});

test('a value that became rare is found with its time', () => {
  const rare = findDrop(series([10, 1], [10, 0], [10, 3], [10, 9], [20, 20]));
  expect(rare).toMatchObject({ since: hour(2), events: 30 });
  expect(rare?.after).toBeCloseTo(4 / 30);
});

test.each<[string, ShareSeries]>([
  ['it was there before', series([10, 10], [20, 1])],
  ['there are too few earlier events', series([10, 10], [19, 0])],
  ['it is there only sometimes', series([10, 4], [20, 0])],
])('nothing is new when %s', (_name, points) => {
  expect(findRise(points)).toBeNull();
});

test('a value that was never there and is now frequent is new', () => {
  expect(findRise(series([10, 9], [10, 1], [20, 0]))).toMatchObject({
    since: hour(1),
    before: 0,
    after: 0.5,
    events: 20,
  });
});
