import { parseDocument, parseDocumentOf } from '../../../src/domain/people/document.ts';

test.each([
  ['123.456.789-09', '12345678909'],
  ['529.982.247-25', '52998224725'],
  [' 111 444 777 35 ', '11144477735'],
  ['11.222.333/0001-81', '11222333000181'],
  // The example of the tax office for the form with letters.
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12abc34501de35', '12ABC34501DE35'],
  ['\u202a123.456.789-09\u202c', '12345678909'],
  ['AB\u200b 123', 'AB 123'],
  ['12345678909.0', '12345678909'],
  ['123.456.789-00', null],
  ['000.000.000-00', null],
  ['11.222.333/0001-80', null],
  ['12.ABC.345/01DE-36', null],
  ['00.000.000/0000-00', null],
  ['1234567890', '1234567890'],
  ['AB 123.456-7', 'AB 123.456-7'],
  ['ABCDEFGHIJKL12', 'ABCDEFGHIJKL12'],
])('the document %j is parsed as %j', (text, read) => expect(parseDocument(text)).toBe(read));

test.each([
  ['cpf', '1234567890', '01234567890'],
  ['cpf', '123.456.789-09', '12345678909'],
  ['cpf', '11.222.333/0001-81', null],
  ['cpf', 'AB 123.456-7', null],
  ['cpf', '0', null],
  ['cnpj', '191', '00000000000191'],
  ['cnpj', '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['cnpj', '123.456.789-09', null],
] as const)('as %s %j is %j', (kind, text, read) => expect(parseDocumentOf(kind, text)).toBe(read));
