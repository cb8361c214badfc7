import { createVault, SecretUnreadable } from '../../../src/base/secrets/vault.ts';

const [old = '', current = ''] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

test('a sealed text opens at its location, and sealing gives another text each time', () => {
  const vault = createVault([current]);
  const sealed = vault.seal('s3cret ✓', 'webhook:a:signature');
  expect(vault.open(sealed, 'webhook:a:signature')).toBe('s3cret ✓');
  expect(sealed).not.toContain('s3cret');
  expect(vault.seal('s3cret ✓', 'webhook:a:signature')).not.toBe(sealed);
});

test('the first key seals, and every key opens', () => {
  const before = createVault([old]).seal('x', 'p');
  const vault = createVault([current, old]);
  expect(vault.open(before, 'p')).toBe('x');
  expect([vault.isCurrent(before), vault.isCurrent(vault.seal('x', 'p'))]).toEqual([false, true]);
  expect(vault.isCurrent('in clear')).toBe(false);
});

test('text that was stored unsealed opens unchanged', () => {
  expect(createVault([]).open('in clear', 'p')).toBe('in clear');
});

const sealed = createVault([old]).seal('x', 'p');
const flip = (text: string) => `${text.slice(0, -2)}${text.endsWith('AA') ? 'BB' : 'AA'}`;

test.each([
  ['in another place', [old], { text: sealed, place: 'q' }],
  ['without its key', [current], { text: sealed, place: 'p' }],
  ['without any key', [], { text: sealed, place: 'p' }],
  ['once it was changed', [old], { text: flip(sealed), place: 'p' }],
  ['once it was cut short', [old], { text: sealed.slice(0, 30), place: 'p' }],
  ['under a key that is called like its own', [current], { text: relabelled(), place: 'p' }],
])(
  'a secret does not open %s, and the error does not contain it',
  (_how, keys, { text, place }) => {
    const open = () => createVault(keys).open(text, place);
    expect(open).toThrow(SecretUnreadable);
    expect(open).not.toThrow(/'x'|"x"/);
  },
);

/** The text of the old key with the id of the current one. */
function relabelled(): string {
  const [, , id] = createVault([current]).seal('x', 'p').split(':');
  return sealed.replace(/^(sealed:1:)[^:]+/, `$1${id}`);
}

test('without a key nothing can be sealed, and the error for a bad key does not contain the key', () => {
  expect(createVault([]).canSeal).toBe(false);
  expect(() => createVault([]).seal('x', 'p')).toThrow('no key');
  expect(() => createVault(['dG9vIHNob3J0'])).toThrow(
    /^A secret key is not the base64 of 32 bytes/,
  );
});
