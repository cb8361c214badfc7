import { createResendStorms } from '../../../src/receiving/recording/resend-storms.ts';

test('a storm is on after twenty resends, of that webhook only, and new events end it', () => {
  const storms = createResendStorms();
  for (let n = 0; n < 19; n += 1) storms.note('a', 'resend');
  expect(storms.isOn('a')).toBe(false);
  storms.note('a', 'resend');
  expect([storms.isOn('a'), storms.isOn('b')]).toEqual([true, false]);
  for (let n = 0; n < 1_000; n += 1) storms.note('a', 'resend');
  for (let n = 0; n < 10; n += 1) storms.note('a', 'new');
  expect(storms.isOn('a')).toBe(true);
  storms.note('a', 'new');
  expect(storms.isOn('a')).toBe(false);
});

test('a sender that resends every second event causes no storm', () => {
  const storms = createResendStorms();
  for (let n = 0; n < 1_000; n += 1) {
    storms.note('a', 'resend');
    storms.note('a', 'new');
    expect(storms.isOn('a')).toBe(false);
  }
});
