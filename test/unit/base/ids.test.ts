/** Ids of a process. */
import { validate, version } from 'uuid';
import { createIdSource, newId, newRequestId } from '../../../src/base/ids.ts';

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
