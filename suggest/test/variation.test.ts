/** Payloads with other values: the truth follows the payload. */
import { readCases, readVariedCases } from '../fitting/cases.ts';

const plain = readCases();
const varied = readVariedCases(1);

test('the same number gives the same values', () => {
  const again = readVariedCases(1).map(({ payload }) => JSON.stringify(payload));
  expect(varied.map(({ payload }) => JSON.stringify(payload))).toEqual(again);
});

test('keys stay, and the words of a true name or address are in the payload', () => {
  for (const [i, { name, payload, truth }] of varied.entries()) {
    const before = plain[i];
    expect(keysOf(payload.body)).toEqual(keysOf(before?.payload.body));
    const texts = JSON.stringify([payload.body, payload.query]).toLowerCase();
    for (const target of ['contact.name', 'contact.email'] as const) {
      const words = truth.get(target)?.toLowerCase().split(/\s+/) ?? [];
      const missing = words.filter((word) => !texts.includes(word));
      expect([name, target, missing]).toEqual([name, target, []]);
    }
  }
});

test('most names, numbers and addresses are other ones', () => {
  for (const target of ['contact.name', 'contact.phone', 'contact.email'] as const) {
    const known = varied.filter(({ truth }) => truth.has(target));
    const changed = known.filter(
      ({ name, truth }) =>
        plain.find((each) => each.name === name)?.truth.get(target) !== truth.get(target),
    );
    expect(changed.length / known.length).toBeGreaterThan(0.9);
  }
});

function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).map(([key, each]) => [key, keysOf(each)]);
}
