/** Merge patches, key usage, and differences of audit rows. */
import { mergePatchBetween } from '../../../../web/src/api/merge-patch.ts';
import { differencesOf } from '../../../../web/src/screens/audit/audit-rows.ts';
import { keyStateOf, keyUsageOf, type Key } from '../../../../web/src/screens/keys/key-state.ts';

test.each([
  ['nothing, where nothing differs', [{ a: 1, b: null }, { a: 1 }], undefined],
  [
    'the one member that differs',
    [
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ],
    { b: 3 },
  ],
  ['null for what goes', [{ a: 1, b: 2 }, { a: 1 }], { b: null }],
  ['null for the whole part', [{ a: 1 }, null], null],
  ['the whole part where there was none', [null, { a: 1, b: null }], { a: 1 }],
  ['lists as a whole', [{ a: [1, 2] }, { a: [2] }], { a: [2] }],
  [
    'what is stale within',
    [{ a: { x: 1, y: 2 } }, { a: { x: 1, z: 3 } }],
    { a: { y: null, z: 3 } },
  ],
])('a patch holds %s', (_what, [before, after], patch) => {
  expect(mergePatchBetween(before, after)).toEqual(patch);
});

const now = Date.parse('2026-05-01T12:00:00Z');
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

const key = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  lastFour: id,
  createdAt: ago(600),
  expiresAt: null,
  revokedAt: null,
  uses: 0,
  usesSinceRotation: 0,
  lastUsedAt: null,
  ...more,
});

test('the share of the old key counts all requests since the rotation', () => {
  const fresh = key('new', { usesSinceRotation: 97, lastUsedAt: ago(1) });
  const old = key('old', { usesSinceRotation: 3, lastUsedAt: ago(5) });
  expect(keyUsageOf([fresh, old], now)).toMatchObject([
    { isNewest: true, share: 0.97 },
    { isNewest: false, share: 0.03, verdict: 'busy' },
  ]);
});

test.each([
  ['silent', [0, 0], null],
  ['unused', [5, 0], ago(300)],
  ['quiet', [5, 2], ago(61)],
  ['busy', [5, 2], ago(59)],
] as const)('an old key is %s', (verdict, [ofNew, ofOld], lastUsedAt) => {
  const keys = [
    key('new', { usesSinceRotation: ofNew }),
    key('old', { usesSinceRotation: ofOld, lastUsedAt }),
  ];
  expect(keyUsageOf(keys, now)[1]?.verdict).toBe(verdict);
});

test('a key is current, ending, expired or revoked', () => {
  const newest = key('new');
  expect(keyStateOf(newest, newest, now)).toBe('current');
  expect(keyStateOf(key('old', { expiresAt: ago(-60) }), newest, now)).toBe('ending');
  expect(keyStateOf(key('old', { expiresAt: ago(1) }), newest, now)).toBe('expired');
  expect(keyStateOf(key('old', { revokedAt: ago(1) }), newest, now)).toBe('revoked');
});

test('differences are listed leaf by leaf, up to a limit', () => {
  const before = { name: 'A', settings: {}, list: [1, 2] };
  const after = { name: 'A', settings: { retries: { maxAttempts: 3 } }, list: [1] };
  expect(differencesOf({ before, after })).toEqual([
    { path: 'list', before: '[1,2]', after: '[1]' },
    { path: 'settings.retries.maxAttempts', before: null, after: '3' },
  ]);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, at]));
  let deep: unknown = 'end';
  for (let depth = 0; depth < 200; depth += 1) deep = { deep };
  expect(differencesOf({ before: null, after: wide }).length).toBeLessThanOrEqual(300);
  expect(differencesOf({ before: null, after: { deep } })).toHaveLength(1);
});
