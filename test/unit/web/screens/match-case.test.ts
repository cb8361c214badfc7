import { matchCase } from '../../../../web/src/screens/channels/match-case.ts';

test.each([
  [/^[A-Z]{2}$/, 'br', 'BR'],
  [/^[A-Z]{2}$/, ' Br ', 'BR'],
  [/^[A-Z]{2}$/, 'BR', 'BR'],
  [/^[A-Z]{2}$/, 'bra', 'bra'],
  [/^https:\/\//, 'https://a.example/Path', 'https://a.example/Path'],
  [/^https:\/\//, 'http://a.example', 'http://a.example'],
  [null, ' any ', 'any'],
])('for %s, %j is corrected to %j', (pattern, text, value) => {
  expect(matchCase(pattern, text)).toBe(value);
});
