import { maxListLength, optionsSchema, type Transform } from './transform.ts';

type Options = { index?: number };

export const pick: Transform<Options> = {
  name: 'pick',
  doc: 'Returns one element of a list by its `index`: 0, the default, is the first and -1 the last. A text counts as a list of one.',
  examples: [
    { from: ['a@example.com', 'b@example.com'], to: 'a@example.com' },
    { options: { index: -1 }, from: ['a', 'b', 'c'], to: 'c' },
    { options: { index: 1 }, from: 'a', to: null },
  ],
  options: optionsSchema({
    index: { type: 'integer', minimum: -maxListLength, maximum: maxListLength },
  }),
  apply: (value, { options: { index = 0 } }) => ({ value: [value].at(index) ?? null }),
  applyToTree: (value, { options: { index = 0 } }) => ({
    value: (Array.isArray(value) ? value : [value]).at(index) ?? null,
  }),
};
