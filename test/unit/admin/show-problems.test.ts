import { showProblems } from '../../../src/api/events/event-view.ts';
import { textWith } from '../../../src/base/texts/texts.ts';

const stored = {
  target: 'contact.name',
  code: 'too_long',
  message: 'The text was cut to 9 characters.',
};

test('a problem of an event is told in the language of the caller, from its stored code and values', () => {
  const problems = [{ ...stored, text: textWith('problem.text_cut', { max: 9 }) }];
  expect(showProblems(problems, 'es')).toEqual([
    { ...stored, message: 'El texto se cortó a 9 caracteres.' },
  ]);
  expect(showProblems(problems, 'en')).toEqual([stored]);
});

test.each([
  ['without a text', {}],
  ['with a text of a later release', { text: 'problem.of_a_later_release' as never }],
])('a problem %s keeps its English message', (_name, text) => {
  expect(showProblems([{ ...stored, ...text }], 'pt-BR')).toEqual([stored]);
});
