import { externalIdKeys } from '../../../../src/domain/people/external-id.ts';

const isOne = (a: string, b: string) =>
  externalIdKeys(a).some((key) => externalIdKeys(b).includes(key));

test.each([
  ['001A000000K1YXs', '001A000000K1YXsIAN'],
  ['003D000000QYVZ5', '003D000000QYVZ5IAP'],
  ['6F9619FF-8B86-D011-B42D-00CF4FC964FF', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
  ['{6F9619FF-8B86-D011-B42D-00CF4FC964FF}', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
  ['6f9619ff8b86d011b42d00cf4fc964ff', '{6F9619FF-8B86-D011-B42D-00CF4FC964FF}'],
  ['gid://shopify/Customer/7000001', '7000001'],
])('%s and %s are one id', (a, b) => {
  expect([isOne(a, b), isOne(b, a)]).toEqual([true, true]);
  expect(externalIdKeys(a)[0]).toBe(a);
});

test.each([
  // The case of letters distinguishes ids of 15 characters.
  ['003D000000QYVZ5', '003d000000QYVZ5'],
  ['003D000000QYVZ5IAP', '003d000000QYVZ5IAO'],
  ['003D000000QYVZ5', '003D000000QYVZ5IAO'],
  ['003D000000QYVZ5IAO', '003D000000QYVZ6IAO'],
  ['gid://shopify/Order/7000001', '7000001'],
  ['A1', 'a1'],
  ['7', '07'],
])('%s and %s are two ids', (a, b) => expect(isOne(a, b)).toBe(false));

test('an empty id has no key', () => expect(externalIdKeys('')).toEqual([]));
