import { maskSettings } from '../../../src/domain/audit/mask-settings.ts';

test.each([
  ['what is no secret', { maxAttempts: 3, on: true }, {}, { maxAttempts: 3, on: true }],
  ['a secret', { secret: 'a' }, { secret: 'a' }, { secret: '***' }],
  ['one that changed', { secret: 'a' }, { secret: 'b' }, { secret: '*** (changed)' }],
  ['one that is new', { secret: 'a' }, {}, { secret: '*** (changed)' }],
  ['one that is taken away', { secret: null }, { secret: 'a' }, { secret: null }],
  ['one that is an object', { signingSecret: { iv: 'x' } }, {}, { signingSecret: '*** (changed)' }],
  ['several', { secrets: ['a', 'b'] }, { secrets: ['a', 'b'] }, { secrets: ['***', '***'] }],
  ['one deep within', { a: [{ verifyToken: 'x' }] }, {}, { a: [{ verifyToken: '*** (changed)' }] }],
  ['headers', { headers: { 'x-key': 'k' } }, {}, { headers: '*** (changed)' }],
  ['a key', { apiKey: 'k' }, { apiKey: 'k' }, { apiKey: '***' }],
  [
    'a URL',
    { url: 'https://example.com/hook/k?t=1' },
    { url: 'https://example.com/hook/k?t=1' },
    { url: 'https://example.com/***' },
  ],
  ['a URL that is none', { callbackUrl: 'k' }, { callbackUrl: 'k' }, { callbackUrl: '***' }],
])('%s is masked as expected', (_what, ...[settings, before, told]) => {
  expect(maskSettings(settings, before)).toEqual(told);
});
