import fc from 'fast-check';
import { v5 } from 'uuid';
import { derivedId } from '../../src/base/ids.ts';

const namespace = '6f1c2f43-5f0e-4b7c-9a53-3f9f2f0f8a51';

test('a derived id is the UUIDv5 of its parts, as earlier releases stored it', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
      const name = parts.map((part) => `${part.length}:${part}`).join('');
      expect(derivedId(...parts)).toBe(v5(name.toWellFormed(), namespace));
    }),
  );
});

test('half a surrogate pair counts as the replacement character, as MongoDB stores it', () => {
  expect(derivedId('a\ud800')).toBe(derivedId('a\ufffd'));
});
