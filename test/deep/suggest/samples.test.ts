/** One mapping reads a request of a real producer and a variant of it, for every request about one person. */
import { changes, lostFields, singleRequests } from '../../../suggest/fitting/sample-variants.ts';

const requests = singleRequests();

test.each([
  ['wrapped', 0.98],
  ['wrapped, the first one', 0.98],
  ['reordered', 0.99],
  ['an address in one, a number in the other', 0.99],
] as const)('both samples are read as well as one alone: %s', (name, share) => {
  const lost = requests.flatMap((request) => {
    const fields = lostFields(request, changes[name]);
    return fields === null ? [] : [{ name: request.name, fields }];
  });
  const whole = lost.filter(({ fields }) => fields.length === 0);
  console.log(
    `${name}: ${whole.length} of ${lost.length}`,
    lost.filter(({ fields }) => fields.length > 0),
  );
  expect(lost.length).toBeGreaterThan(100);
  expect(whole.length / lost.length).toBeGreaterThanOrEqual(share);
});
