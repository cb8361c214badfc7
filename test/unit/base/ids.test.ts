/** Ids of a process. */
import { validate, version } from 'uuid';
import {
  createIdSource,
  firstIdAt,
  derivedIdAfter,
  newId,
  newIdAt,
  newRequestId,
} from '../../../src/base/ids.ts';

const timeOf = (id = '') => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('ids are different UUIDv7 that begin with the time', () => {
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(timeOf(ids[0])).toBeGreaterThanOrEqual(before);
});

test('ids sort in the order of their creation, also when the clock stands still or is set back', () => {
  let nowMs = 1_800_000_000_000;
  const nextId = createIdSource(() => nowMs);
  // More than the counter of a millisecond holds.
  const ids = Array.from({ length: 10_000 }, nextId);
  expect(timeOf(ids.at(-1))).toBe(nowMs + 2);
  nowMs -= 60_000;
  ids.push(nextId());
  nowMs += 120_000;
  ids.push(nextId());
  expect(timeOf(ids.at(-1))).toBe(nowMs);
  expect(ids.toSorted()).toEqual(ids);
});

test('request ids are UUIDs', () => {
  expect(validate(newRequestId())).toBe(true);
});

test('derived ids sort as their sources, then by index, and are the same each time', () => {
  const sources = Array.from({ length: 50 }, () => newIdAt(1_800_000_000_000));
  const made = sources.flatMap((source) =>
    [0, 1, 9, 10, 999, 4_096, 262_143].map((index) => derivedIdAfter(source, index, 'item')),
  );
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(derivedIdAfter(sources[0] ?? '', 1, 'item')).toBe(made[1]);
  expect(derivedIdAfter(sources[0] ?? '', 1, 'sample')).not.toBe(made[1]);
  expect(() => derivedIdAfter(sources[0] ?? '', 262_144)).toThrow(RangeError);
});

test('after a clock that was far ahead, ids have the time of the clock again', () => {
  let nowMs = Date.parse('2030-01-01T00:00:00Z');
  const nextId = createIdSource(() => nowMs);
  nextId();
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  const id = nextId();
  expect(id >= firstIdAt(nowMs)).toBe(true);
  expect(id < firstIdAt(nowMs + 1)).toBe(true);
});
