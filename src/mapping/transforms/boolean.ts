import { noOptions, transformProblem, type Transform } from './transform.ts';

const yes = new Set(
  'true t yes y on 1 sim s si sí verdadeiro verdadero v ok checked aceito acepto'.split(' '),
);
const no = new Set('false f no n off 0 não nao falso unchecked'.split(' '));

export const boolean: Transform = {
  name: 'boolean',
  doc: 'Reads yes and no, true and false, on and off, 1 and 0, in English, Portuguese and Spanish.',
  examples: [
    { from: 'Sim', to: true },
    { from: 'não', to: false },
    { from: 1, to: true },
  ],
  options: noOptions,
  apply(value) {
    const word = String(value).trim().toLowerCase();
    if (yes.has(word)) return { value: true };
    if (no.has(word)) return { value: false };
    return transformProblem('invalid_boolean', 'problem.invalid_boolean');
  },
};
