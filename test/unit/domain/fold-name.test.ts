import { foldName, foldedWords } from '../../../src/domain/people/fold-name.ts';

test.each([
  ['Formulário  São Paulo ', 'formulario sao paulo'],
  ['ＦＵＬＬ width', 'full width'],
  ['İzmir', 'izmir'],
  ['Ação\u0301', 'acao'],
  ['\ud800x', '\ufffdx'],
])('%j is folded to %j', (name, folded) => {
  expect(foldName(name)).toBe(folded);
  expect(foldName(folded)).toBe(folded);
});

test('a search is split into distinct words', () => {
  expect(foldedWords(' São  SAO paulo ')).toEqual(['sao', 'paulo']);
  expect(foldedWords('   ')).toEqual([]);
});
