import {
  findDrop,
  findRise,
  type ShareSeries,
} from '../../../../src/mapping/drift/share-change.ts';

/** From [total, hits] pairs, newest first; the newest is at hour 0, the one before at hour -1. */
const series = (...pairs: [number, number][]): ShareSeries =>
  pairs.map(([total, hits], index) => ({ at: new Date(-index * 3_600_000), total, hits }));
const hour = (index: number) => new Date(-index * 3_600_000);

test.each<[string, ShareSeries]>([
  ['nothing was seen', series()],
  ['all is as ever', series([10, 10], [20, 20])],
  ['there are too few of the newest', series([9, 0], [20, 20])],
  ['too little came before', series([10, 0], [19, 19])],
  ['it was never usual', series([10, 0], [100, 70])],
  ['half of it is left', series([20, 10], [20, 20])],
  ['it came back', series([10, 9], [50, 0], [100, 100])],
])('no drop where %s', (_name, points) => {
  expect(findDrop(points)).toBeNull();
});

test('what is gone is told with since when, however long it has been gone', () => {
  expect(findDrop(series([6, 0], [0, 0], [600, 0], [20, 19]))).toMatchObject({
    since: hour(2),
    before: 0.95,
    after: 0,
    events: 606,
  });
});

test('hours without events tell nothing', () => {
  expect(findDrop(series([0, 0], [4, 0], [0, 0], [6, 0], [20, 20]))).toMatchObject({
    since: hour(3),
    events: 10,
  });
});

test('what became rare is told from where it became so', () => {
  const rare = findDrop(series([10, 1], [10, 0], [10, 3], [10, 9], [20, 20]));
  expect(rare).toMatchObject({ since: hour(2), events: 30 });
  expect(rare?.after).toBeCloseTo(4 / 30);
});

test.each<[string, ShareSeries]>([
  ['it was there before', series([10, 10], [20, 1])],
  ['too little came before', series([10, 10], [19, 0])],
  ['it is there now and then', series([10, 4], [20, 0])],
])('nothing is new where %s', (_name, points) => {
  expect(findRise(points)).toBeNull();
});

test('what was never there and now often is, is new', () => {
  expect(findRise(series([10, 9], [10, 1], [20, 0]))).toMatchObject({
    since: hour(1),
    before: 0,
    after: 0.5,
    events: 20,
  });
});
