import { splitAtLineBreaks } from '../../../../web/src/ui/text/line-breaks.ts';

test.each([
  ['ana.souza@example.com', ['ana.souza@', 'example.com']],
  ['contact_emails', ['contact_', 'emails']],
  ['person.contact_phones[0].number', ['person.', 'contact_', 'phones', '[0].', 'number']],
  ["fields[?nome=='Interesse'].valor | [0]", ['fields', "[?nome=='Interesse'].", 'valor | [0]']],
  ['01a20050-5c53-71d7', ['01a20050-', '5c53-', '71d7']],
  ['https://example.com/a', ['https://', 'example.', 'com/', 'a']],
  ['Bom dia. Tudo bem?', ['Bom dia. Tudo bem?']],
  ['…', ['…']],
  ['', ['']],
])('%j can break behind %j', (text, parts) => {
  expect(splitAtLineBreaks(text)).toEqual(parts);
});

test('a long address also breaks within its halves, without losing text', () => {
  const long = `${'maria.fernanda.'.repeat(3)}souza@example.com`;
  expect(splitAtLineBreaks(long)).toContain('fernanda.');
  expect(splitAtLineBreaks(long).join('')).toBe(long);
});
